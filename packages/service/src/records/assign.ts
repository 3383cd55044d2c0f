import { assignRecordInput, Failure, oneAssignee, type Role, recordAssignment } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { recordAssignments } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { insertNote, prepareNote } from "../notes/note.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { actorOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { readNames } from "../persons/names.ts";
import { exampleSummary } from "./example.ts";
import { nameAssignee, recordConflict } from "./record.ts";

const { kycRecordId } = exampleSummary;
const personId = "per_01jexample0000000000000000";

/** Assigns a record to a person or to a role, or releases it. */
export const assignRecord = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.assign",
  kind: "write",
  summary: "Assign a record",
  description:
    "Assigns a record to a person or to a role, or releases it; with a note, in the same transaction, for who takes " +
    "over. Of two concurrent assignments, the second one is refused and says who has the record.",
  input: assignRecordInput,
  rules: [oneAssignee],
  output: recordAssignment,
  example: {
    input: { kycRecordId, assignee: personId, version: 0 },
    output: { kycRecordId, assignee: { personId, name: "Ada" }, assignedRole: null, version: 1 },
  },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT", "PERSON_NOT_FOUND"],
  // `run` audits in its transaction.
  audit: [],

  async run(ports, call, { kycRecordId, note: text, ...target }) {
    if (target.assignee !== null && (await readNames(ports, [target.assignee])).length === 0) {
      throw new Failure("PERSON_NOT_FOUND");
    }
    const { platformId, person } = call;
    const id = { platformId, recordId: kycRecordId };
    const { ring } = await ports.personalDataKeys();
    const author = { actor: actorOf(call), personId: person?.personId ?? null };
    const note =
      text === undefined ? undefined : { noteId: ports.ids.noteId(), text, restricted: false, ...author };
    const { assigned, current } = await ports.database.asPlatform<Assigned>(platformId, async (tx) => {
      const noteRow = note && (await prepareNote(tx, ring, { platformId, kycRecordId }, note));
      const [current] = await replace(tx, id, target);
      if (current) {
        const statements = [audit(tx, call, kycRecordId), ...(noteRow ? [insertNote(tx, noteRow)] : [])];
        return pipelineCommit(statements, () => ({ assigned: true, current }));
      }
      const found = tx.select(fields).from(recordAssignments).where(isAssignment(id));
      return pipelineCommit([found], ([[current = { assignee: null, role: null, version: 0 }]]) => ({
        assigned: false,
        current,
      }));
    });
    const { assignee, role, version } = await nameAssignee(ports, current);
    if (assigned) return { data: { kycRecordId, assignee, assignedRole: role, version } };
    const to = assignee ? (assignee.name ?? assignee.personId) : role && `the role ${role}`;
    const now = to ? `It is assigned to ${to}.` : "It is not assigned now.";
    throw recordConflict(`Another person changed the assignment in between. ${now}`);
  },
});

interface Assignment {
  assignee: string | null;
  role: Role | null;
  version: number;
}

/** Whether the call assigned the record, and the assignment now. */
interface Assigned {
  assigned: boolean;
  current: Assignment;
}

const fields = {
  assignee: recordAssignments.assignee,
  role: recordAssignments.role,
  version: recordAssignments.version,
};

/** Changes an assignment of this version; returns no row if it has another one. Version 0 has no row yet. */
function replace(tx: Tx, id: AssignmentId, { assignee, role, version }: Assignment): Promise<Assignment[]> {
  if (version === 0) {
    const first = { ...id, assignee, role, version: 1 };
    return tx.insert(recordAssignments).values(first).onConflictDoNothing().returning(fields);
  }
  return tx
    .update(recordAssignments)
    .set({ assignee, role, version: version + 1, assignedAt: sql`clock_timestamp()` })
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
