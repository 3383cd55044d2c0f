import { recordSearchPage, recordSearchQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleRow } from "./example.ts";

/** Searches the records of all platforms that the caller may access. */
export const searchRecords = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "records.search",
  kind: "read",
  summary: "Search records",
  description:
    "Searches the records of the platforms that the caller may access, in the order of their creation. A page reads at " +
    "most 50,000 rows; then `narrow` is true.",
  input: recordSearchQuery,
  rules: [],
  output: recordSearchPage,
  example: {
    input: { needsAttention: true, order: "oldest" },
    output: { records: [exampleRow], nextCursor: null, narrow: false, asOf: "2026-01-31T13:00:00.000Z" },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  run: async ({ recordSearch }, call, query) => ({
    data: await recordSearch.search(namedPlatforms(call, query.platformIds), query),
  }),
});
