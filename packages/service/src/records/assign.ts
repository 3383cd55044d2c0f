import { assignRecordInput, Failure, recordAssignment } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { recordAssignments } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import { readNames } from "../persons/names.ts";
import { exampleSummary } from "./example.ts";
import { nameAssignee, recordConflict } from "./record.ts";

const { kycRecordId } = exampleSummary;
const personId = "per_01jexample0000000000000000";

/** Assigns a record to a person, or releases it. */
export const assignRecord = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.assign",
  kind: "write",
  summary: "Assign a record",
  description:
    "Assigns a record to a person, or releases it. Of two concurrent assignments, the second one is refused and says " +
    "who has the record.",
  input: assignRecordInput,
  rules: [],
  output: recordAssignment,
  example: {
    input: { kycRecordId, assignee: personId, version: 0 },
    output: { kycRecordId, assignee: { personId, name: "Ada" }, version: 1 },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT", "PERSON_NOT_FOUND"],
  // `run` audits in its transaction.
  audit: [],

  async run(ports, call, { kycRecordId, ...to }) {
    if (to.assignee !== null && (await readNames(ports, [to.assignee])).length === 0) {
      throw new Failure("PERSON_NOT_FOUND");
    }
    const id = { platformId: call.platformId, recordId: kycRecordId };
    const { assigned, current } = await ports.database.asPlatform<Assigned>(call.platformId, async (tx) => {
      const [current] = await replace(tx, id, to);
      if (current) {
        return pipelineCommit([audit(tx, call, kycRecordId)], () => ({ assigned: true, current }));
      }
      const found = tx.select(fields).from(recordAssignments).where(isAssignment(id));
      return pipelineCommit([found], ([[current = { assignee: null, version: 0 }]]) => ({
        assigned: false,
        current,
      }));
    });
    const { assignee, version } = await nameAssignee(ports, current);
    if (assigned) return { data: { kycRecordId, assignee, version } };
    const now = assignee
      ? `It is assigned to ${assignee.name ?? assignee.personId}.`
      : "It is not assigned now.";
    throw recordConflict(`Another person changed the assignment in between. ${now}`);
  },
});

interface Assignment {
  assignee: string | null;
  version: number;
}

/** Whether the call assigned the record, and the assignment now. */
interface Assigned {
  assigned: boolean;
  current: Assignment;
}

const fields = { assignee: recordAssignments.assignee, version: recordAssignments.version };

/** Changes an assignment of this version; returns no row if it has another one. Version 0 has no row yet. */
function replace(tx: Tx, id: AssignmentId, { assignee, version }: Assignment): Promise<Assignment[]> {
  if (version === 0) {
    const first = { ...id, assignee, version: 1 };
    return tx.insert(recordAssignments).values(first).onConflictDoNothing().returning(fields);
  }
  return tx
    .update(recordAssignments)
    .set({ assignee, version: version + 1, assignedAt: sql`clock_timestamp()` })
    .where(and(isAssignment(id), eq(recordAssignments.version, version)))
    .returning(fields);
}

interface AssignmentId {
  platformId: string;
  recordId: string;
}

function isAssignment({ platformId, recordId }: AssignmentId) {
  return and(eq(recordAssignments.platformId, platformId), eq(recordAssignments.recordId, recordId));
}
