import type { Tracer } from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./context.ts";
import { routeOf } from "./route-of.ts";

/** Traces of health checks and of the docs page would contain nothing useful. */
const untraced = /^\/(health|docs)(\/|$)/;

/** Traces requests by method and route, and continues the trace of the caller's traceparent. */
export function traceRequest(tracer: Tracer) {
  return createMiddleware<HttpEnv>((c, next) => {
    if (untraced.test(c.req.path)) return next();
    const { method } = c.req;
    const attributes = { "http.request.method": method };
    const parent = c.req.header("traceparent");
    return tracer.run({ name: method, kind: "server", parent, attributes }, async (span) => {
      await next();
      const { status } = c.res;
      const { route } = routeOf(c);
      const failure = c.get("failure")?.code;
      const procedures = c.get("procedures")?.join(",");
      span.rename(`${method} ${route}`);
      span.set({
        "http.route": route,
        "http.response.status_code": status,
        "cardbridge.request_id": c.get("requestId"),
        ...(procedures && { "cardbridge.procedures": procedures }),
        ...(failure && { "cardbridge.outcome": failure }),
        ...(status >= 500 && { "error.type": failure ?? String(status) }),
      });
    });
  });
}
