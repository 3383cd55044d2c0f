import { type AttemptId, type AuditOrigin, internalPlatformId } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { type AttemptResult, runAttempt } from "../kyc/attempt.ts";
import { appendEntry } from "../operation/audit.ts";
import { type OperationCall, originOf } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";
import { isRecord, recordConflict } from "./record.ts";

/** How a manual attempt starts. A sending attempt names the attempt that it follows. */
export type ManualStep = { step: "ask" } | { step: "send"; after: number };

const isLeased = sql<boolean>`coalesce(${kycRecords.leaseUntil} > clock_timestamp(), false)`;
/** `lease_due` applies the same rule. */
const notFound = sql`not_found_after_lease(${kycRecords.leaseUntil}, ${kycRecords.step}, ${kycRecords.notFound})`;

/**
 * Leases a record for an operator and makes one attempt, in a slot of the internal apps.
 * @throws Failure KYC_RECORD_CONFLICT if another attempt owns the record; PROVIDER_PAUSED, RATE_LIMITED or
 *   SERVICE_UNAVAILABLE before the lease if there is no slot.
 */
export function runManualAttempt(
  ports: Ports,
  call: OperationCall,
  kycRecordId: string,
  manual: ManualStep,
): Promise<AttemptResult> {
  const { platformId } = call;
  const by = originOf(call, manual.step === "ask" ? "records.refresh" : "records.resend");
  return ports.providerSlots.run(internalPlatformId, async () => {
    const leased = await leaseManually(ports, platformId, kycRecordId, { ...manual, by });
    const attempt = await ports.kycRecords.loadAttempt(platformId, leased);
    if (!attempt) throw ranInBetween();
    return runAttempt(ports, platformId, attempt, by.actor);
  });
}

/**
 * In one transaction: leases a record that no attempt owns, due or not, and audits the lease. A record that needs
 * attention still needs it after the lease; any other record becomes due when the lease expires. A sending attempt
 * leases only an unresolved record whose latest attempt is `after`.
 * @throws Failure KYC_RECORD_CONFLICT.
 */
export function leaseManually(
  { database, leaseSeconds }: Pick<Ports, "database" | "leaseSeconds">,
  platformId: string,
  kycRecordId: string,
  manual: ManualStep & { by: AuditOrigin },
): Promise<AttemptId> {
  const leaseEnd = sql`clock_timestamp() + ${`${leaseSeconds} seconds`}::interval`;
  return database.asPlatform<AttemptId>(platformId, async (tx) => {
    const isUnchanged =
      manual.step === "send"
        ? and(eq(kycRecords.resolution, "unresolved"), eq(kycRecords.attempt, manual.after))
        : undefined;
    const [leased] = await tx
      .update(kycRecords)
      .set({
        attempt: sql`${kycRecords.attempt} + 1`,
        step: manual.step,
        notFound,
        leaseUntil: leaseEnd,
        // A record that is decided or needs attention is not due, and the end of the lease does not make it due.
        dueAt: sql`case when ${kycRecords.dueAt} is null then null else ${leaseEnd} end`,
      })
      .where(and(isRecord(platformId, kycRecordId), sql`not ${isLeased}`, isUnchanged))
      .returning({ attempt: kycRecords.attempt });
    if (leased) {
      const audited = appendEntry(tx, platformId, { ...manual.by, subject: kycRecordId, outcome: "done" });
      return pipelineCommit([audited], () => ({ kycRecordId, attempt: leased.attempt }));
    }
    const rows = await tx
      .select({ isLeased, leaseUntil: kycRecords.leaseUntil })
      .from(kycRecords)
      .where(isRecord(platformId, kycRecordId));
    const current = requireRow(rows, "KYC record");
    throw current.isLeased && current.leaseUntil ? ownedUntil(current.leaseUntil) : ranInBetween();
  });
}

function ownedUntil(until: Date) {
  return recordConflict(
    `Another attempt owns the record until ${until.toISOString()} or earlier. Try again then.`,
  );
}

function ranInBetween() {
  return recordConflict("Another attempt ran in between. Show the record and start again.");
}
