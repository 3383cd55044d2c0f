import {
  exactlyOneIdentifier,
  Failure,
  kycLookupQuery,
  kycReading,
  toIdentifier,
  toKycReading,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleSubmission } from "./example.ts";

/** Reads a user's latest KYC result (an extension, gap G24). */
export const getKyc = defineOperation({
  ...forPlatforms,
  id: "kyc.get",
  kind: "read",
  rest: { method: "get", path: "/users/kyc", tag: "KYC" },
  summary: "Read a user's KYC result",
  description:
    "Reads the latest KYC result of a user. Send exactly one of email and memberId. If the provider refused the " +
    "submission, success is false and code is KYC_REFUSED.",
  documented: false,
  scopes: ["kyc:read"],
  input: kycLookupQuery,
  rules: [exactlyOneIdentifier],
  output: kycReading,
  example: { input: { memberId: "erin" }, output: { ...exampleSubmission.output, requests: [] } },
  errors: ["USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],
  audit: ["done", "USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],
  polled: true,

  async run({ users, kycRecords }, { platformId }, input) {
    const identifier = toIdentifier(input);
    const record = await kycRecords.latest(platformId, identifier);
    if (record) return { data: toKycReading(record), subject: record.kycRecordId };
    const user = await users.find(platformId, identifier);
    throw new Failure(user ? "KYC_RECORD_NOT_FOUND" : "USER_NOT_FOUND");
  },
});
