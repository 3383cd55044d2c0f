import { Hono } from "hono";
import { ApiError } from "../api-error.ts";
import type { Dependencies, Env } from "../http/context.ts";
import { answer } from "../http/json.ts";
import { allowQuery, pageOf } from "../http/page.ts";
import { type Card, summary } from "../records/card.ts";

const root = "/api/v1/issuing/cards";
const bounds = ["from_created_at", "to_created_at", "from_updated_at", "to_updated_at"];
const filters = ["card_status", "cardholder_id", "nick_name"] as const;

export function cardRoutes({ store: { state } }: Dependencies): Hono<Env> {
  const routes = new Hono<Env>();

  routes.get(root, (context) => {
    allowQuery(context, [...filters, ...bounds, "page_num", "page_size"]);
    const query = context.req.query();
    for (const bound of bounds) checkTimestamp(bound, query[bound]);
    const found = state.cards
      .filter((card) => filters.every((name) => query[name] === undefined || card[name] === query[name]))
      .filter((card) => isWithin(card.created_at, query.from_created_at, query.to_created_at))
      .filter((card) => isWithin(card.updated_at, query.from_updated_at, query.to_updated_at))
      .toSorted(newestFirst);
    const page = pageOf(context, found.map(summary));
    return answer(context, "IssuingNonPciQueryResultOfIssuingNonPciCardSummaryDto", page);
  });

  routes.get(`${root}/:id`, (context) => {
    const id = context.req.param("id");
    const card = state.cards.find(({ card_id }) => card_id === id);
    if (!card) throw new ApiError("not_found", `The card ${id} does not exist.`);
    return answer(context, "IssuingNonPciCardDto", card);
  });

  return routes;
}

/** Timestamps have equal offsets and lengths, so comparing their text compares their times. */
function isWithin(value: string, from = "", to = "~"): boolean {
  return value >= from && value <= to;
}

function newestFirst(a: Card, b: Card): number {
  return b.created_at.localeCompare(a.created_at) || a.card_id.localeCompare(b.card_id);
}

function checkTimestamp(source: string, value: string | undefined): void {
  if (value === undefined || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/.test(value)) return;
  throw new ApiError("invalid_argument", `${source} should be a timestamp with +0000`, source);
}
