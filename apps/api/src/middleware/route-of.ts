import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { HttpEnv } from "./context.ts";

/**
 * The route that answers, or `unknown`: of several that match, such as /cards/list and /cards/:cardId, the first. Its method
 * is GET also for HEAD.
 */
export function routeOf(c: Context<HttpEnv>): { route: string; method: string } {
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  return route ? { route: route.path, method: route.method } : { route: "unknown", method: c.req.method };
}
