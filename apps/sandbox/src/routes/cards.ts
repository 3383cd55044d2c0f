import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import { findCard } from "../cards/find.ts";
import { listCards } from "../cards/list.ts";
import { parse } from "../http/body.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { cardQuerySchema } from "../wire.ts";

/** `GET /v1/cards` and `GET /v1/cards/{cardId}` (provider contract). */
export function cardRoutes({ state, now }: Dependencies): Hono<Env> {
  const routes = new Hono<Env>();

  routes.get("/v1/cards", (context) => {
    const query = parse(context.req.query(), cardQuerySchema);
    if (!state.hasUser(query.userReference))
      throw new ApiError("user_not_found", "This user does not exist.");
    return context.json(listCards(state, query, now()));
  });

  routes.get("/v1/cards/:cardId", (context) => {
    const cardId = context.req.param("cardId");
    const card = findCard(state, cardId, now());
    if (!card) throw new ApiError("card_not_found", "This card does not exist.", { cardId });
    return context.json(card);
  });

  return routes;
}
