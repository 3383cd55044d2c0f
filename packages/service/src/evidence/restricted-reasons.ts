import { type RestrictedReason, recordReference, recordRestrictedReasons } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forPersons } from "../operation/actors.ts";
import { type OperationCall, originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import type { Ports } from "../operation/ports.ts";
import { exampleOpened } from "./example.ts";

const { kycRecordId } = exampleOpened;

// A type and not an interface, because a row of the driver has an index signature.
/** The position of an audit entry, as texts. */
type Position = { txid: string; id: string };

/** Reads the reasons that only compliance may know. */
export const readRestrictedReasons = defineOperation({
  ...forPersons("ops.compliance"),
  id: "records.restrictedReasons",
  kind: "write",
  summary: "Read a record's restricted reasons",
  description:
    "Reads the reasons of a rejection that only compliance may know. They must not reach the person. The database " +
    "writes an audit entry with each read.",
  input: recordReference,
  rules: [],
  output: recordRestrictedReasons,
  example: {
    input: { kycRecordId },
    output: {
      kycRecordId,
      reasons: [{ reason: "WATCH_LIST_MATCH", observedAt: "2026-01-31T12:00:30.000Z" }],
    },
  },
  errors: ["PERSON_REQUIRED", "KYC_RECORD_NOT_FOUND"],
  // `auditReading` audits in its transaction.
  audit: [],

  async run(ports, call, { kycRecordId }) {
    requirePerson(call);
    // The database reads them for a committed entry only, so that a rollback cannot remove it.
    const entry = await auditReading(ports, call, kycRecordId);
    const reasons = await ports.database.asPlatform(call.platformId, async (tx) => {
      const read = tx.execute<{ reason: RestrictedReason; observedAt: string }>(
        sql`select reason, observed_at as "observedAt"
            from restricted_reasons(${kycRecordId}, ${entry.txid}::bigint, ${entry.id}::bigint)`,
      );
      return pipelineCommit([read], ([{ rows }]) => rows);
    });
    const data = {
      kycRecordId,
      reasons: reasons.map(({ reason, observedAt }) => ({
        reason,
        observedAt: new Date(observedAt).toISOString(),
      })),
    };
    return { data };
  },
});

/** Audits a read of restricted reasons, and returns the position of the entry. */
function auditReading(
  { database }: Pick<Ports, "database">,
  call: OperationCall,
  kycRecordId: string,
): Promise<Position> {
  const { platformId } = call;
  const { actor, operation, requestId, address } = originOf(call);
  return database.asPlatform<Position>(platformId, async (tx) => {
    const inserted = tx.execute<Position>(
      sql`insert into audit_entries (platform_id, actor, operation, subject, outcome, request_id, address)
          values (${platformId}, ${actor}, ${operation}, ${kycRecordId}, 'done', ${requestId}, ${address})
          returning txid::text, id::text`,
    );
    return pipelineCommit([inserted], ([{ rows }]) => requireRow(rows, "entry"));
  });
}
