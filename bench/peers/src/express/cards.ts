import { type Response, Router } from "express";
import type pg from "pg";
import { externalUserIdOf } from "../common/pg/users.js";
import { Problem } from "../common/problem.js";
import { type Locals, requireScope } from "./caller.js";
import { cardsQuery } from "./cards-schemas.js";
import type { ExpressProvider } from "./provider.js";

/** The list of a user's cards. */
export function cards(pool: pg.Pool, provider: ExpressProvider): Router {
  const router = Router();
  router.get(
    "/list",
    requireScope(pool, "cards:read"),
    async (request, response: Response<unknown, Locals>) => {
      const query = cardsQuery.parse(request.query);
      const externalUserId = await externalUserIdOf(pool, response.locals.caller.platformId, query);
      if (externalUserId === undefined) throw new Problem("USER_NOT_FOUND");
      const { items, total } = await provider.cards(externalUserId, query);
      const { page, pageSize } = query;
      response.json({ items, page, pageSize, total, totalPages: Math.ceil(total / pageSize) });
    },
  );
  return router;
}
