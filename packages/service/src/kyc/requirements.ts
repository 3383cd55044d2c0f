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

/** Describes the requirements of a user's submission (an extension, gap G29). It reads no data. */
export const kycRequirementsOf = (policies: Policies) =>
  defineOperation({
    ...forPlatforms,
    id: "kyc.requirements",
    kind: "read",
    rest: { method: "get", path: "/users/kyc/requirements", tag: "KYC" },
    summary: "Describe the requirements of a KYC submission",
    description:
      "Lists the fields of a KYC submission with their kinds, allowed values, limits and upload purposes: enough to " +
      "build a form. Send the known fields of the user. If a rule depends on an unknown field, the fields that it " +
      "may require are conditional and list the rule.",
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
