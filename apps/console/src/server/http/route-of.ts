import type { Context } from "hono";
import { matchedRoutes } from "hono/route";

/**
 * The pattern of a request's route, such as `/api/trpc/:names`: no ids, and as many values as the app has routes. `page` is
 * every page and its files, `unknown` a call of no route.
 */
export function routeOf(c: Context): string {
  const own = matchedRoutes(c).find(({ method }) => method !== "ALL");
  if (own) return own.path;
  return /^\/(?:api|auth|health)(?:\/|$)/.test(c.req.path) ? "unknown" : "page";
}
