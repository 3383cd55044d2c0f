import { kycChangeListQuery, kycChangePage } from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleSubmission } from "./example.ts";

const { kycRecordId, externalUserId, cardAccountId } = exampleSubmission.output;

/** Reads a page of a platform's KYC changes (an extension, gap G24). The subscription kyc.changes sends these pages. */
export const listKycChanges = defineOperation({
  ...forPlatforms,
  id: "kyc.listChanges",
  kind: "read",
  summary: "Read the KYC changes after a position",
  description:
    "Reads the platform's KYC changes after a position, in the order of their commits, without gaps. Without a " +
    "position, it returns the current position and no changes.",
  documented: false,
  scopes: ["kyc:read"],
  input: kycChangeListQuery,
  rules: [],
  output: kycChangePage,
  example: {
    input: { lastEventId: "81234-0" },
    output: {
      changes: [
        {
          id: "81240-52",
          type: "kyc.updated",
          environment: "test",
          timestamp: "2026-01-31T12:00:01.000Z",
          data: {
            kycRecordId,
            externalUserId,
            sequence: 2,
            code: "KYC_SUBMITTED",
            status: "APPROVED",
            subStatus: "approved",
            cardAccountId,
            reasons: [],
          },
        },
      ],
      lastEventId: "81250-0",
      more: false,
    },
  },
  errors: [],
  // Not audited: a page has no personal data, and every subscriber reads one per second.
  audit: [],

  run: async ({ kycChanges }, { platformId }, { lastEventId, cursor = lastEventId }) => ({
    data: await kycChanges.after(platformId, cursor),
  }),
});
