import { userIdentifiers, userIdentifiersQuery } from "@cardbridge/domain";
import { forPersons } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import { readIdentifiers } from "./personal-data.ts";
import { exampleUserReference } from "./user.ts";

/** Reveals a user's identifiers, for a purpose. */
export const revealUserIdentifiers = defineOperation({
  ...forPersons("ops.evidence"),
  id: "users.identifiers",
  kind: "write",
  summary: "Reveal a user's identifiers",
  description: "Reveals a user's e-mail and member id for a purpose, which the audit keeps.",
  input: userIdentifiersQuery,
  rules: [],
  output: userIdentifiers,
  example: {
    input: { ...exampleUserReference, purpose: "person" },
    output: {
      externalUserId: exampleUserReference.externalUserId,
      email: "erin@example.com",
      memberId: "erin",
    },
  },
  errors: ["PERSON_REQUIRED", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run(ports, call, { platformId, externalUserId }) {
    requirePerson(call);
    const { email, memberId } = await readIdentifiers(ports, platformId, externalUserId);
    return { data: { externalUserId, email, memberId }, subject: externalUserId };
  },
});
