import {
  currentKyc,
  exactlyOneIdentifier,
  Failure,
  kycLookupQuery,
  toCurrentKyc,
  toIdentifier,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleReading } from "./example.ts";

/** Reads a user's current KYC result (an extension, gaps G24 and G44). */
export const getKyc = defineOperation({
  ...forPlatforms,
  id: "kyc.get",
  kind: "read",
  rest: { method: "get", path: "/users/kyc", tag: "KYC" },
  summary: "Read a user's KYC result",
  description:
    "Reads the standing approval of a user, with the latest record as its renewal, or the latest KYC result of a user " +
    "without one. Send exactly one of email and memberId. If the provider refused the submission, success is false and " +
    "code is KYC_REFUSED.",
  documented: false,
  scopes: ["kyc:read"],
  input: kycLookupQuery,
  rules: [exactlyOneIdentifier],
  output: currentKyc,
  example: { input: { memberId: "erin" }, output: { ...exampleReading, renewal: null } },
  errors: ["USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],
  audit: ["done", "USER_NOT_FOUND", "KYC_RECORD_NOT_FOUND"],
  polled: true,

  async run({ users, kycRecords }, { platformId }, input) {
    const identifier = toIdentifier(input);
    const record = await kycRecords.current(platformId, identifier);
    if (record) return { data: toCurrentKyc(record), subject: record.kycRecordId };
    const user = await users.find(platformId, identifier);
    throw new Failure(user ? "KYC_RECORD_NOT_FOUND" : "USER_NOT_FOUND");
  },
});
