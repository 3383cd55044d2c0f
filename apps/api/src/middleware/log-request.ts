import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes, routePath } from "hono/route";
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
      route: routeOf(c),
      status: c.res.status,
      millis: performance.now() - start,
      failure: c.get("failure"),
    });
  });
}

/** The route that answers: of several that match, such as /cards/list and /cards/:cardId, the first. */
function routeOf(c: Context<HttpEnv>): string {
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  return route?.path ?? routePath(c, -1);
}
