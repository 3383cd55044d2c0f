import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { personId } from "../identity/person-id.ts";
import { noteText } from "../input/formats.ts";
import type { Rule } from "../input/rule.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { role } from "../persons/role.ts";

export const assignRecordInput = z.object({
  kycRecordId,
  assignee: personId.nullable().default(null).meta({ description: "The person, or null for nobody." }),
  role: role
    .nullable()
    .default(null)
    .meta({ description: "The role whose persons find it among theirs. With the assignee null only." }),
  version: z.int().min(0).meta({
    description: "The assignmentVersion that the caller saw. An assignment in between is a conflict.",
  }),
  note: noteText
    .optional()
    .meta({ description: "Why, for who takes over. It becomes a note of the record." }),
});

/** A record has one assignee, a person or a role. */
export const oneAssignee: Rule = {
  id: "one-assignee",
  section: "G37",
  description: "assignee and role are not sent together.",
  check({ assignee, role: toRole }) {
    if ((assignee ?? null) === null || (toRole ?? null) === null) return [];
    const message = "Assign the record to a person or to a role, not to both.";
    return [{ path: ["role"], rule: "one-assignee", message }];
  },
  schema: {},
};

export const recordAssignment = z
  .object({
    kycRecordId,
    assignee: namedPerson.nullable(),
    assignedRole: role.nullable(),
    version: z.int(),
  })
  .meta({ id: "RecordAssignment" });
