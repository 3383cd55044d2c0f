import * as z from "zod";
import { personId } from "../identity/person-id.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { namedPerson } from "../persons/person.ts";

export const assignRecordInput = z.object({
  kycRecordId,
  assignee: personId.nullable().meta({ description: "The person, or null to release the record." }),
  version: z.int().min(0).meta({
    description: "The assignmentVersion that the caller saw. An assignment in between is a conflict.",
  }),
});

export const recordAssignment = z
  .object({ kycRecordId, assignee: namedPerson.nullable(), version: z.int() })
  .meta({ id: "RecordAssignment" });
