import type { KycAdmin, NamedPerson } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { recordAssignments } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { appendEntry } from "../operation/audit.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";
import { findPlatform } from "./find-platform.ts";

type Assignment = { assignee: string | null; version: number };

const fields = { assignee: recordAssignments.assignee, version: recordAssignments.version };

/** Assigns records to persons; see the port for the contract. */
export function assignments(database: Database, names: NamePorts): Pick<KycAdmin, "assign"> {
  return {
    async assign(kycRecordId, to, by) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      const id = { platformId, recordId: kycRecordId };
      const result = await database.asPlatform<{ assigned: boolean; current: Assignment }>(
        platformId,
        async (tx) => {
          const [current] = await replace(tx, id, to);
          if (current) {
            const audited = appendEntry(tx, platformId, { ...by, subject: kycRecordId, outcome: "done" });
            return pipelineCommit([audited], () => ({ assigned: true, current }));
          }
          const found = tx.select(fields).from(recordAssignments).where(isAssignment(id));
          return pipelineCommit([found], ([[now]]) => ({
            assigned: false,
            current: now ?? { assignee: null, version: 0 },
          }));
        },
      );
      const { assignee, version } = result.current;
      const assignment = { kycRecordId, assignee: await nameOf(names, assignee), version };
      return { assigned: result.assigned, assignment };
    },
  };
}

/** Changes an assignment of this version; returns no row if it has another one. Version 0 has no row yet. */
function replace(
  tx: Tx,
  id: { platformId: string; recordId: string },
  { assignee, version }: Assignment,
): Promise<Assignment[]> {
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

function isAssignment({ platformId, recordId }: { platformId: string; recordId: string }) {
  return and(eq(recordAssignments.platformId, platformId), eq(recordAssignments.recordId, recordId));
}

/** The person of an assignment; null for nobody. A person without a row keeps the id. */
export async function nameOf(names: NamePorts, personId: string | null): Promise<NamedPerson | null> {
  return (await namedPersons(names, [personId]))(personId);
}
