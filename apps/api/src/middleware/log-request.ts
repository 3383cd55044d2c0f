import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { Log } from "../observability/log.ts";
import { requestId } from "../observability/request-id.ts";
import { addHeaders } from "./add-headers.ts";
import type { HttpEnv } from "./context.ts";

/** Creates the request id, adds the common response headers, and logs the request. */
export function logRequest(log: Pick<Log, "request">) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const start = performance.now();
    c.set("requestId", requestId());
    await next();
    addHeaders(c, { "x-request-id": c.get("requestId"), ...c.get("allowance")?.headers });
    log.request({
      requestId: c.get("requestId"),
      platformId: c.get("call")?.platformId,
      method: c.req.method,
      route: routePath(c, -1),
      status: c.res.status,
      millis: performance.now() - start,
      failure: c.get("failure"),
    });
  });
}
