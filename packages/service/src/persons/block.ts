import { blockPersonInput, Failure, personFacts } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePerson } from "./example.ts";

/** Blocks a person, or ends the block. */
export const blockPerson = defineOperation({
  ...forOperators("ops.persons"),
  reach: "service",
  urgent: true,
  // A block cannot wait. Who found an open browser must not end one.
  recentSignIn: ({ blocked }) => blocked === false,
  id: "persons.block",
  kind: "write",
  summary: "Block a person",
  description:
    "Blocks a person: within a second, every process refuses the person's calls and ends the person's subscriptions. " +
    "`blocked: false` ends the block, for which a person must have signed in within 15 minutes. The keys that the " +
    "person made stay valid: list them with keys.list and its `createdBy`, and revoke them.",
  input: blockPersonInput,
  rules: [],
  output: personFacts,
  example: {
    input: { personId: examplePerson.personId },
    output: { ...examplePerson, blockedAt: "2026-01-31T12:00:00.000Z" },
  },
  errors: ["PERSON_NOT_FOUND"],
  audit: ["done", "PERSON_NOT_FOUND"],

  async run({ persons }, _call, { personId, blocked }) {
    const person = await persons.block(personId, blocked);
    if (!person) throw new Failure("PERSON_NOT_FOUND");
    return { data: person, subject: personId };
  },
});
