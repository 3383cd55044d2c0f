import { blockPersonInput, Failure, personFacts } from "@cardbridge/domain";
import { eq, sql } from "drizzle-orm";
import { persons } from "../database/schema.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePerson, personFields } from "./facts.ts";
import { decryptNames } from "./person-key.ts";

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

  async run({ database, personalDataKeys }, _call, { personId, blocked }) {
    const { ring } = await personalDataKeys();
    const blockedAt = blocked ? sql`coalesce(${persons.blockedAt}, now())` : null;
    const rows = await database.withoutPlatform((tx) =>
      tx.update(persons).set({ blockedAt }).where(eq(persons.id, personId)).returning(personFields),
    );
    const [person] = decryptNames(rows, ring);
    if (!person) throw new Failure("PERSON_NOT_FOUND");
    return { data: person, subject: personId };
  },
});
