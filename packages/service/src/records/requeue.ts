import { recordReference, recordState } from "@cardbridge/domain";
import { and, isNotNull, sql } from "drizzle-orm";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleState } from "./example.ts";
import { isRecord, recordConflict } from "./record.ts";
import { readState } from "./state.ts";

/** What a requeue sets: the record is due now, or when the attempt that owns it ends, and is asked about first. */
export const requeued = {
  needsAttentionSince: null,
  requeuedAt: sql`clock_timestamp()`,
  step: "ask" as const,
  notFound: 0,
  // An operator's attempt may own the record.
  dueAt: sql`greatest(clock_timestamp(), ${kycRecords.leaseUntil})`,
};

/** Makes workers attempt a record again that needs attention. */
export const requeueRecordManually = defineOperation({
  ...forOperators("ops.records.act"),
  id: "records.requeue",
  kind: "write",
  summary: "Requeue a record",
  description:
    "Makes a record that needs attention due now, so that workers attempt it again. They query the provider before they " +
    "send anything.",
  input: recordReference,
  rules: [],
  output: recordState,
  example: { input: { kycRecordId: exampleState.kycRecordId }, output: exampleState },
  errors: ["KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT"],
  // `run` audits in its transaction.
  audit: [],

  async run(ports, call, { kycRecordId }) {
    const { platformId } = call;
    await ports.database.asPlatform<void>(platformId, async (tx) => {
      const changed = await tx
        .update(kycRecords)
        .set(requeued)
        .where(and(isRecord(platformId, kycRecordId), isNotNull(kycRecords.needsAttentionSince)))
        .returning({ id: kycRecords.id });
      if (changed.length === 0) {
        throw recordConflict("The record does not need attention. Workers attempt it.");
      }
      return pipelineCommit([audit(tx, call, kycRecordId)], () => undefined);
    });
    return { data: await readState(ports, platformId, kycRecordId) };
  },
});
