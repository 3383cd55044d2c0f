import type { Failure, Observer } from "@cardbridge/domain";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { requestId } from "../errors/request-id.ts";
import type { HttpEnv } from "./context.ts";
import { routeOf } from "./route-of.ts";

/** The log fields of a request. */
interface RequestLine {
  requestId: string;
  platformId: string | undefined;
  method: string;
  /** The matched route, or `unknown`. The path can contain ids. */
  route: string;
  /** The tRPC procedures that an authenticated request names. */
  procedures: readonly string[] | undefined;
  status: number;
  ms: number;
  failure: Failure | undefined;
}

export interface RequestLog {
  request(line: RequestLine): void;
}

/** Creates the request id, adds the common response headers, and logs and counts the request. */
export function logRequest(log: RequestLog, observer: Observer) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const start = performance.now();
    c.set("requestId", requestId());
    await next();
    addHeaders(c, { "x-request-id": c.get("requestId"), ...c.get("allowance")?.headers });
    const { route, method } = routeOf(c);
    const { status } = c.res;
    const ms = performance.now() - start;
    log.request({
      requestId: c.get("requestId"),
      platformId: c.get("call")?.platformId,
      method: c.req.method,
      route,
      procedures: c.get("procedures"),
      status,
      ms,
      failure: c.get("failure"),
    });
    observer.observe("request", { route, method, status: String(status) }, ms / 1_000);
  });
}

/**
 * Adds headers to the response. It prefers Node's response, because creating a web `Headers` object is expensive.
 */
function addHeaders(c: Context<HttpEnv>, headers: Record<string, string>): void {
  const outgoing = c.env?.outgoing;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (outgoing) outgoing.setHeader(name, value);
    else c.res.headers.set(name, value);
  }
}
