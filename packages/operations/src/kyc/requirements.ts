import {
  describeRequirements,
  kycRequirements,
  kycRequirementsQuery,
  type Policies,
  platformScope,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

const exampleInput = { documentType: "id_card", documentCountry: "HK" } as const;

/** Describes what a user's submission needs (an extension, gap G29). It reads nothing. */
export const kycRequirementsOf = (policies: Policies) =>
  defineOperation({
    ...forPlatforms,
    id: "kyc.requirements",
    kind: "read",
    rest: { method: "get", path: "/users/kyc/requirements", tag: "KYC" },
    summary: "Describe what a KYC submission needs",
    description:
      "Lists the fields of a KYC submission with their kinds, allowed values, limits and upload purposes: enough to " +
      "build a form. Send what is known of the user; what stays unknown makes fields conditional, and names the rules " +
      "that decide on them.",
    documented: false,
    scopes: platformScope.options,
    input: kycRequirementsQuery,
    rules: [],
    output: kycRequirements,
    example: { input: exampleInput, output: describeRequirements(policies, exampleInput) },
    errors: [],
    audit: [],

    async run(_ports, _call, known) {
      return { data: describeRequirements(policies, known) };
    },
  });
