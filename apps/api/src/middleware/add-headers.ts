import type { Context } from "hono";
import type { HttpEnv } from "./context.ts";

/**
 * Adds headers to the answer that is made: to Node's own where there is one, since a web `Headers` costs more
 * than all that is in it.
 */
export function addHeaders(c: Context<HttpEnv>, headers: Record<string, string>): void {
  const outgoing = c.env?.outgoing;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (outgoing) outgoing.setHeader(name, value);
    else c.res.headers.set(name, value);
  }
}
