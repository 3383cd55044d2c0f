import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { externalUserIdOf } from "../common/pg/users.js";
import { Problem } from "../common/problem.js";
import { cardPage, cardsQuery } from "./cards-schemas.js";
import type { FastifyProvider } from "./provider.js";

interface CardsQuery {
  email?: string;
  memberId?: string;
  status?: string;
  page: number;
  pageSize: number;
}

/** The list of a user's cards. */
export async function cards(app: FastifyInstance, parts: { pool: pg.Pool; provider: FastifyProvider }) {
  app.get<{ Querystring: CardsQuery }>(
    "/list",
    { config: { scope: "cards:read" }, schema: { querystring: cardsQuery, response: { 200: cardPage } } },
    async ({ query, caller }) => {
      const externalUserId = await externalUserIdOf(parts.pool, caller.platformId, query);
      if (externalUserId === undefined) throw new Problem("USER_NOT_FOUND");
      const { items, total } = await parts.provider.cards(externalUserId, query);
      const { page, pageSize } = query;
      return { items, page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
    },
  );
}
