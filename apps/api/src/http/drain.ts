import { createMiddleware } from "hono/factory";
import { maxDrainedBytes, maxDrainMillis } from "./limits.ts";

/**
 * Reads on, within bounds, what an answer left unread of the request's body. Without it the socket closes
 * while the caller still sends, and the caller sees a reset in place of its 4xx.
 */
export const drain = createMiddleware(async (c, next) => {
  await next();
  const announced = c.req.header("content-length") ?? c.req.header("transfer-encoding") ?? "0";
  // Who was too slow once is not waited for again.
  if (c.res.status === 408) return;
  // Asking for a body makes one: not for calls that announced none.
  const body = announced === "0" ? null : c.req.raw.body;
  if (!body || body.locked) return;
  const reader = body.getReader();
  const enough = setTimeout(() => reader.cancel().catch(() => {}), maxDrainMillis);
  try {
    let size = 0;
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      size += chunk.value.byteLength;
      if (size > maxDrainedBytes) break;
    }
  } catch {
    // The caller is gone, and with it whoever would read the answer.
  } finally {
    clearTimeout(enough);
    reader.releaseLock();
  }
});
