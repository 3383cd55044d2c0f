import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import { listCards } from "../cards/list.ts";
import { parse } from "../http/body.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { cardQuerySchema } from "../wire.ts";

/** `GET /v1/cards` (provider contract): lists the cards of a user. */
export function cardRoutes({ state, now }: Dependencies): Hono<Env> {
  return new Hono<Env>().get("/v1/cards", (context) => {
    const query = parse(context.req.query(), cardQuerySchema);
    if (!state.hasUser(query.userReference)) throw new ApiError("user_not_found", "This user is not known.");
    return context.json(listCards(state, query, now()));
  });
}
