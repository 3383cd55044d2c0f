import type { MiddlewareHandler } from "hono";
import type { Log } from "./log.ts";

/** What the handlers of a request share. */
export interface RequestVariables {
  requestId: string;
  /** The names of the called procedures, which the allow-list knows. */
  procedures?: string;
}

/** Gives each request an id, and logs its method, route, status and duration. */
export function logRequests(log: Log, now: () => number): MiddlewareHandler<{ Variables: RequestVariables }> {
  return async (c, next) => {
    const begun = now();
    c.set("requestId", `req_${crypto.randomUUID()}`);
    await next();
    const procedures = c.get("procedures");
    const route = routeOf(c.req.path);
    if (c.res.status < 400 && quiet.has(route)) return;
    log(c.res.status >= 500 ? "warn" : "info", "request", {
      method: knownMethods.has(c.req.method) ? c.req.method : "OTHER",
      route,
      ...(procedures === undefined ? {} : { procedures }),
      status: c.res.status,
      ms: Math.round(now() - begun),
      requestId: c.res.headers.get("x-request-id") ?? c.get("requestId"),
    });
  };
}

/** Successful requests of these routes are not logged. */
const quiet = new Set(["page", "/assets", "/health/live", "/health/ready"]);
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The route without ids: a path of a view has ids of records and users. */
function routeOf(path: string): string {
  const [, known] =
    /^(\/api\/(?:trpc|session|files)|\/auth\/[a-z-]{1,30}|\/health\/[a-z]{1,10}|\/assets)(?:\/|$)/.exec(
      path,
    ) ?? [];
  return known ?? (path.startsWith("/api/") ? "/api" : "page");
}
