import { Hono } from "hono";
import type { Dependencies, Env } from "../http/context.ts";
import { answer, readBody } from "../http/json.ts";
import { allowQuery, integer } from "../http/page.ts";
import { findRfi } from "../rfis/ask.ts";
import { type RfiResponse, respond } from "../rfis/respond.ts";

const root = "/api/v1/rfis";

/** Requests for information. The pages have a token instead of a number. */
export function rfiRoutes(dependencies: Dependencies): Hono<Env> {
  const { state } = dependencies.store;
  const routes = new Hono<Env>();

  routes.get(root, (context) => {
    allowQuery(context, ["statuses", "types", "page", "page_size", "from_created_at", "end_created_at"]);
    const { statuses, types } = context.req.query();
    const found = state.rfis
      .filter(({ status, type }) => (statuses ?? status) === status && (types ?? type) === type)
      .toReversed();
    const start = integer(context, "page", 0, 0, Number.MAX_SAFE_INTEGER);
    const end = start + integer(context, "page_size", 10, 1, 100);
    const page = { items: found.slice(start, end), ...(end < found.length && { page_after: `${end}` }) };
    return answer(context, "PagedRfiSessionQueryResultDto", page);
  });
  routes.get(`${root}/:id`, (context) =>
    answer(context, "RfiSessionDto", findRfi(state, context.req.param("id"))),
  );
  routes.post(`${root}/:id/respond`, (context) => {
    const response = readBody<RfiResponse>(context, "RfiResponseDto");
    const rfi = findRfi(state, context.req.param("id"));
    return answer(context, "RfiSessionDto", respond(dependencies, rfi, response));
  });
  return routes;
}
