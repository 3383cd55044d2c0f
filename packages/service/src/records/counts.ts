import { recordCounts, recordCountsQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";

/** Counts the records of all platforms that the caller may access. */
export const countRecords = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "records.counts",
  kind: "read",
  summary: "Count records",
  description:
    "Counts the records of the platforms that the caller may access: open records exactly, decided ones up to 10,000.",
  input: recordCountsQuery,
  rules: [],
  output: recordCounts,
  example: {
    input: {},
    output: {
      needsAttention: 12,
      open: 340,
      assignedToMe: 3,
      oldestOpenAt: "2026-01-31T09:48:00.000Z",
      decided: {
        APPROVED: { count: 10_000, more: true },
        REJECTED: { count: 812, more: false },
        refused: { count: 95, more: false },
      },
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  run: async ({ recordSearch }, call, { platformIds }) => ({
    data: await recordSearch.counts(namedPlatforms(call, platformIds), call.person?.personId ?? null),
  }),
});
