import { keyListQuery, keyPage } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { exampleKey, keyFields } from "./key.ts";

/** Lists the keys of one platform or of all platforms, without their secrets. */
export const listKeys = defineOperation({
  ...forOperators("ops.keys"),
  reach: "owner",
  id: "keys.list",
  kind: "read",
  summary: "List the API keys",
  description:
    "Lists the keys of one platform or of all platforms, by platform and name, newest first. Filter by the state, the " +
    "person who made them, the expiry and the last use.",
  input: keyListQuery,
  rules: [],
  output: keyPage,
  example: { input: {}, output: { keys: [exampleKey], more: false } },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ database }, _call, { limit, ...filter }) {
    const { platformId = null, state = null, createdBy = null } = filter;
    const [expiresWithin, unused] = [days(filter.expiresWithinDays), days(filter.unusedDays)];
    const { items, more } = await listUpTo(limit, (max) =>
      database.withoutPlatform((tx) =>
        tx
          .select(keyFields)
          .from(
            sql`list_api_keys(${platformId}::text, ${state}::text, ${expiresWithin}, ${unused}, ${createdBy}::text, ${max}::integer)`,
          ),
      ),
    );
    return { data: { keys: items, more } };
  },
});

/** A number of days as an interval; NULL without one. */
const days = (count: number | undefined) => sql`${count ?? null}::integer * interval '1 day'`;
