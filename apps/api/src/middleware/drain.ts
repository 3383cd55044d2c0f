import { createMiddleware } from "hono/factory";
import { discardBody } from "../server/discard-body.ts";
import type { HttpEnv } from "./context.ts";

/**
 * Reads on, within bounds, what an answer left unread of the request's body. Without it the socket closes
 * while the caller still sends, and the caller sees a reset in place of its 4xx.
 */
export const drain = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  const incoming = c.env?.incoming;
  if (!incoming || incoming.complete || incoming.destroyed) return;
  // Who was too slow once is not waited for again.
  if (c.res.status !== 408) await discardBody(incoming);
});
