import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { HttpEnv } from "./context.ts";

/**
 * The route that handles the request, or `unknown`. Of several matching routes, such as /cards/list and /cards/:cardId,
 * it is the first. Its method is GET also for HEAD.
 */
export function routeOf(c: Context<HttpEnv>): { route: string; method: string } {
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  return route ? { route: route.path, method: route.method } : { route: "unknown", method: c.req.method };
}
