import { platformListQuery, platformPage } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { examplePlatform, platformFields } from "./fields.ts";

const usageFields = {
  storedFiles: sql<number>`stored_files`.mapWith(Number),
  storedBytes: sql<number>`stored_bytes`.mapWith(Number),
};

/** Lists the platforms, oldest first. */
export const listPlatforms = defineOperation({
  ...forOperators("ops.platforms"),
  reach: "service",
  id: "platforms.list",
  kind: "read",
  summary: "List the platforms",
  description: "Lists the platforms with their stored files and bytes, oldest first.",
  input: platformListQuery,
  rules: [],
  output: platformPage,
  example: {
    input: {},
    output: { platforms: [{ ...examplePlatform, storedFiles: 2, storedBytes: 96_000 }], more: false },
  },
  errors: [],
  audit: [],

  async run({ database }, _call, { limit }) {
    const { items, more } = await listUpTo(limit, (max) =>
      database.withoutPlatform((tx) =>
        tx.select({ ...platformFields, ...usageFields }).from(sql`list_platforms(${max}::integer)`),
      ),
    );
    return { data: { platforms: items, more } };
  },
});
