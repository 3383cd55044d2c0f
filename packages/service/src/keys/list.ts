import { type KeyFacts, keyListQuery, keyPage } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { namedPersons } from "../persons/names.ts";
import { exampleKey, keyFields } from "./key.ts";

/** Lists the keys of one platform or of all platforms, without their secrets. */
export const listKeys = defineOperation({
  ...forOperators("ops.keys"),
  reach: "owner",
  id: "keys.list",
  kind: "read",
  summary: "List the API keys",
  description:
    "Lists the keys of one platform or of all platforms, by platform and name, newest first, with who made them. Filter " +
    "by the state, the person who made them, the expiry and the last use.",
  input: keyListQuery,
  rules: [],
  output: keyPage,
  example: { input: {}, output: { keys: [{ ...exampleKey, maker: null }], more: false } },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run(ports, _call, { limit, ...filter }) {
    const { platformId = null, state = null, createdBy = null } = filter;
    const [expiresWithin, unused] = [days(filter.expiresWithinDays), days(filter.unusedDays)];
    const { items, more } = await listUpTo(limit, (max) =>
      ports.database.withoutPlatform((tx) =>
        tx
          .select(keyFields)
          .from(
            sql`list_api_keys(${platformId}::text, ${state}::text, ${expiresWithin}, ${unused}, ${createdBy}::text, ${max}::integer)`,
          ),
      ),
    );
    const named = await namedPersons(ports, items.map(makerOf));
    return { data: { keys: items.map((key) => ({ ...key, maker: named(makerOf(key)) })), more } };
  },
});

/** The person of the actor who made a key; null without one. */
const makerOf = ({ createdBy }: Pick<KeyFacts, "createdBy">): string | null =>
  createdBy?.startsWith("per_") ? (createdBy.split("/")[0] ?? null) : null;

/** A number of days as an interval; NULL without one. */
const days = (count: number | undefined) => sql`${count ?? null}::integer * interval '1 day'`;
