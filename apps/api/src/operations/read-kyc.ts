import {
  exactlyOneIdentifier,
  Failure,
  kycHistory,
  kycHistoryQuery,
  kycLookupQuery,
  kycResult,
  toIdentifier,
  toKycResult,
} from "@cardbridge/domain";
import { defineOperation } from "./operation.ts";
import { exampleSubmission } from "./submit-kyc.example.ts";

const { output: exampleResult } = exampleSubmission;

/** Reads a user's latest KYC result (an extension, gap G24). */
export const getKyc = defineOperation({
  id: "kyc.get",
  kind: "query",
  summary: "Read a user's KYC result",
  description:
    "Reads the latest KYC result of one user, named by email or by memberId. A submission that the provider " +
    "refused to take is shown with success false and the code KYC_REFUSED.",
  documented: false,
  scope: "kyc:read",
  input: kycLookupQuery,
  rules: [exactlyOneIdentifier],
  output: kycResult,
  example: { input: { memberId: "erin" }, output: exampleResult },
  errors: ["USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],
  noted: { act: "kyc.get", outcomes: ["done", "USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"] },

  async run({ users, kycRecords }, { platformId }, input) {
    const identifier = toIdentifier(input);
    const record = await kycRecords.latest(platformId, identifier);
    if (record) return { data: toKycResult(record), subject: record.kycRecordId };
    const user = await users.find(platformId, identifier);
    throw new Failure(user ? "KYC_RECORD_NOT_FOUND" : "USER_NOT_FOUND");
  },
});

/** Reads one KYC record with everything that was learned of it (an extension, gap G24). */
export const getKycHistory = defineOperation({
  id: "kyc.history",
  kind: "query",
  summary: "Read a KYC record with its history",
  description: "Reads one KYC record by its id, with every change of its status, oldest first.",
  documented: false,
  scope: "kyc:read",
  input: kycHistoryQuery,
  rules: [],
  output: kycHistory,
  example: {
    input: { kycRecordId: exampleResult.kycRecordId },
    output: {
      ...exampleResult,
      history: [
        { status: null, subStatus: null, source: "submission", observedAt: "2026-01-31T12:00:00.000Z" },
        {
          status: "APPROVED",
          subStatus: "approved",
          source: "provider",
          observedAt: "2026-01-31T12:00:01.000Z",
        },
      ],
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  noted: { act: "kyc.history", outcomes: ["done", "KYC_RECORD_NOT_FOUND"] },

  async run({ kycRecords }, { platformId }, { kycRecordId }) {
    const found = await kycRecords.history(platformId, kycRecordId);
    if (!found) throw new Failure("KYC_RECORD_NOT_FOUND");
    return { data: { ...toKycResult(found.record), history: found.history }, subject: kycRecordId };
  },
});
