import type { Context } from "hono";
import type { HttpEnv } from "./context.ts";

/**
 * Adds headers to the response. It prefers Node's response, because creating a web `Headers` object is expensive.
 */
export function addHeaders(c: Context<HttpEnv>, headers: Record<string, string>): void {
  const outgoing = c.env?.outgoing;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (outgoing) outgoing.setHeader(name, value);
    else c.res.headers.set(name, value);
  }
}
