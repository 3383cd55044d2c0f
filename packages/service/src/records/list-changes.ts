import { recordChangePage, recordChangesQuery } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { exampleRow } from "./example.ts";

const { platformId, kycRecordId, externalUserId } = exampleRow;

/** Reads a page of the record changes of several platforms. The subscription records.changes sends these pages. */
export const listRecordChanges = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "records.listChanges",
  kind: "read",
  summary: "Read the record changes after a position",
  description:
    "Reads the changes of the records that the caller may access after a position, in the order of their commits, " +
    "without gaps. Without a position, it returns the current position and no changes.",
  input: recordChangesQuery,
  rules: [],
  output: recordChangePage,
  example: {
    input: { lastEventId: "81234-0" },
    output: {
      changes: [
        {
          id: "81240-52",
          timestamp: "2026-01-31T12:00:01.000Z",
          platformId,
          kycRecordId,
          externalUserId,
          status: "APPROVED",
        },
      ],
      lastEventId: "81250-0",
      more: false,
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  run: async ({ recordSearch }, call, { platformIds, lastEventId }) => ({
    data: await recordSearch.changes(namedPlatforms(call, platformIds), lastEventId),
  }),
});
