import type { Observer } from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import type { Log } from "../observability/log.ts";
import { requestId } from "../observability/request-id.ts";
import { addHeaders } from "./add-headers.ts";
import type { HttpEnv } from "./context.ts";
import { routeOf } from "./route-of.ts";

/** Creates the request id, adds the common response headers, and logs and counts the request. */
export function logRequest(log: Pick<Log, "request">, observer: Observer) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const start = performance.now();
    c.set("requestId", requestId());
    await next();
    addHeaders(c, { "x-request-id": c.get("requestId"), ...c.get("allowance")?.headers });
    const route = routeOf(c);
    const procedures = c.get("procedures");
    const { status } = c.res;
    log.request({
      requestId: c.get("requestId"),
      platformId: c.get("call")?.platformId,
      method: c.req.method,
      route,
      procedures,
      status,
      millis: performance.now() - start,
      failure: c.get("failure"),
    });
    observer.observe("request", { route, procedure: wordOf(procedures), status: String(status) });
  });
}

/** A label for metrics. `operation_call` counts each procedure of a batch. */
function wordOf([first, ...more]: readonly string[] = []): string {
  return more.length > 0 ? "several" : (first ?? "none");
}
