import { Hono } from "hono";
import { parse } from "../body.ts";
import { listCards } from "../cards.ts";
import type { Desk, Env } from "../context.ts";
import { Problem } from "../problem.ts";
import { cardQuerySchema } from "../wire.ts";

/** `GET /v1/cards`: list. */
export function cardRoutes({ book, now }: Desk): Hono<Env> {
  return new Hono<Env>().get("/v1/cards", (call) => {
    const query = parse(call.req.query(), cardQuerySchema);
    if (!book.knowsUser(query.userReference)) throw new Problem("user_not_found", "This user is not known.");
    return call.json(listCards(book, query, now()));
  });
}
