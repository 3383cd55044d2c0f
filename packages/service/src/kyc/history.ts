import { Failure, kycHistory, kycHistoryQuery, toKycHistoryEntry, toKycReading } from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleReading, exampleSubmission } from "./example.ts";

/** Reads one KYC record with its history (an extension, gap G24). */
export const getKycHistory = defineOperation({
  ...forPlatforms,
  id: "kyc.history",
  kind: "read",
  rest: { method: "get", path: "/users/kyc/{kycRecordId}", tag: "KYC" },
  summary: "Read a KYC record with its history",
  description: "Reads a KYC record by its id, with the memberId of its user and its history, oldest first.",
  documented: false,
  scopes: ["kyc:read"],
  input: kycHistoryQuery,
  rules: [],
  output: kycHistory,
  example: {
    input: { kycRecordId: exampleReading.kycRecordId },
    output: {
      ...exampleReading,
      memberId: exampleSubmission.input.memberId,
      history: [
        {
          code: "KYC_ACCEPTED",
          status: "PENDING",
          subStatus: null,
          source: "submission",
          observedAt: "2026-01-31T12:00:00.000Z",
        },
        {
          code: "KYC_SUBMITTED",
          status: "APPROVED",
          subStatus: "approved",
          source: "provider",
          observedAt: "2026-01-31T12:00:01.000Z",
        },
      ],
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: ["done", "KYC_RECORD_NOT_FOUND"],
  polled: true,

  async run({ kycRecords }, { platformId }, { kycRecordId }) {
    const entry = await kycRecords.history(platformId, kycRecordId);
    if (!entry) throw new Failure("KYC_RECORD_NOT_FOUND");
    const { record, memberId } = entry;
    const history = entry.history.map(toKycHistoryEntry);
    return { data: { ...toKycReading(record), memberId, history }, subject: kycRecordId };
  },
});
