import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { HttpEnv } from "./context.ts";

/** The route that answers, or `unknown`: of several that match, such as /cards/list and /cards/:cardId, the first. */
export function routeOf(c: Context<HttpEnv>): string {
  const route = matchedRoutes(c).find(({ method }) => method !== "ALL");
  return route?.path ?? "unknown";
}
