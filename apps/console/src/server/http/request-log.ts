import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** What the handlers of a request share. */
export interface RequestVariables {
  requestId: string;
  /** The names of the called procedures, which the allow-list knows. */
  procedures?: string;
}

/** Gives each request an id, counts it, and logs its method, route, status and duration. */
export function logRequests(
  log: Log,
  metrics: Pick<Metrics, "request">,
  now: () => number,
): MiddlewareHandler<{ Variables: RequestVariables }> {
  return async (c, next) => {
    const begun = now();
    c.set("requestId", `req_${crypto.randomUUID()}`);
    await next();
    const procedures = c.get("procedures");
    const route = routeOf(c);
    const { status, headers } = c.res;
    const ms = now() - begun;
    metrics.request(route, status, ms / 1_000);
    if (status < 400 && quiet.has(route)) return;
    log(status >= 500 ? "warn" : "info", "request", {
      method: knownMethods.has(c.req.method) ? c.req.method : "OTHER",
      route,
      ...(procedures === undefined ? {} : { procedures }),
      status,
      ms: Math.round(ms),
      requestId: headers.get("x-request-id") ?? c.get("requestId"),
    });
  };
}

/** Successful requests of these routes are not logged. */
const quiet = new Set(["page", "/health/live", "/health/ready"]);
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * The pattern of a request's route, such as `/api/trpc/:names`: no ids, and as many values as the app has routes. `page` is
 * every page and its files, `unknown` a call of no route.
 */
function routeOf(c: Context): string {
  const own = matchedRoutes(c).find(({ method }) => method !== "ALL");
  if (own) return own.path;
  return /^\/(?:api|auth|health)(?:\/|$)/.test(c.req.path) ? "unknown" : "page";
}
