import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./context.ts";
import { discardBody } from "./discard-body.ts";

/**
 * Discards the unread rest of a body, within limits. Otherwise the socket closes while the caller still sends, and the
 * caller sees a reset instead of the response.
 */
export const drain = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  const incoming = c.env?.incoming;
  if (!incoming || incoming.complete || incoming.destroyed) return;
  // Do not wait again for a caller that timed out.
  if (c.res.status !== 408) await discardBody(incoming);
});
