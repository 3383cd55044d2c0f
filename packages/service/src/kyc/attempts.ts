import {
  type Attempt,
  applyVerdict,
  type KycRecord,
  type KycRecords,
  type RecordChange,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { WrappedKey } from "../encryption/data-key.ts";
import { decryptSubmission } from "../encryption/submission.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { platformOf } from "../operation/platform-of.ts";
import { reportValues } from "./attempt-report.ts";
import { attemptStatements } from "./attempt-statements.ts";
import { providerFingerprint } from "./prepare-record.ts";
import { approvesWithoutEmail, lockRecord, writeChange, writeIfUnchanged } from "./write-change.ts";

interface AttemptOptions {
  verifiedKeys: VerifiedKeys;
  /** How long an attempt owns its record, as an interval. */
  lease: string;
  /** The longest call to the provider. */
  callMs: number;
  /** The age after which an unresolved record needs attention, as an interval. */
  holdAfter: string;
}

type Attempts = Pick<
  KycRecords,
  "leaseDue" | "loadAttempt" | "storeVerdict" | "reschedule" | "recordProviderUpdate" | "countWaiting"
>;

/** The attempts of records: leases due records, loads attempts, and ends them with a verdict or a new due time. */
export function attempts(
  database: Database,
  { verifiedKeys, lease, callMs, holdAfter }: AttemptOptions,
): Attempts {
  return {
    leaseDue: (limit) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ platform_id: string; record_id: string; attempt: number }>(
          sql`select platform_id, record_id, attempt from lease_due(${limit}, ${lease}::interval)`,
        );
        return rows.map((row) => ({
          platformId: row.platform_id,
          kycRecordId: row.record_id,
          attempt: row.attempt,
        }));
      }),

    async loadAttempt(platformId, { kycRecordId, attempt }) {
      const startedAt = performance.now();
      const loaded = await database.asPlatform<LoadedAttempt | undefined>(platformId, async (tx) => {
        const found = attemptStatements(tx).loadAttempt.execute({ platformId, kycRecordId, attempt });
        return pipelineCommit([found], ([[row]]) => row);
      });
      if (!loaded) return null;
      return toAttempt(verifiedKeys, platformId, loaded, startedAt + loaded.leaseMs - callMs);
    },

    async storeVerdict(platformId, known, verdict, report) {
      const { kycRecordId, attempt } = known;
      const { restricted } = verdict;
      const changed = applyVerdict(known, verdict);
      if (changed !== known) {
        const stored = await database.asPlatform<RecordChange | undefined>(platformId, async (tx) => {
          const written = writeIfUnchanged(tx, platformId, known, {
            record: changed,
            restricted,
            report,
          });
          return pipelineCommit(
            [written, approvesWithoutEmail(tx, platformId, known, changed)],
            ([rows, approvedWithoutEmail]) =>
              rows.length > 0 ? { before: known, record: changed, approvedWithoutEmail } : undefined,
          );
        });
        if (stored) return stored;
      }
      return database.asPlatform(platformId, async (tx) => {
        const before = await lockRecord(tx, platformId, kycRecordId);
        if (before.attempt !== attempt) return { before, record: before };

        const record = applyVerdict(before, verdict);
        const source = record === before ? undefined : "provider";
        return pipelineCommit(
          [
            approvesWithoutEmail(tx, platformId, before, record),
            ...writeChange(tx, { platformId, record, source, restricted }),
            attemptStatements(tx).storeReport.execute({ kycRecordId, attempt, ...reportValues(report) }),
          ],
          ([approvedWithoutEmail]) => ({ before, record, approvedWithoutEmail }),
        );
      });
    },

    async recordProviderUpdate({ reference: kycRecordId, userReference }, verdict) {
      const platformId = await platformOf(database, "record", kycRecordId);
      if (platformId === null) return null;
      return database.asPlatform<RecordChange | null>(platformId, async (tx) => {
        const before = await lockRecord(tx, platformId, kycRecordId);
        if (before.externalUserId !== userReference) return null;
        const record = applyVerdict(before, verdict);
        const { restricted } = verdict;
        const change = { platformId, record, source: "event", restricted } as const;
        const changes = record === before ? [] : writeChange(tx, change);
        return pipelineCommit(
          [approvesWithoutEmail(tx, platformId, before, record), ...changes],
          ([approvedWithoutEmail]) => ({ before, record, approvedWithoutEmail }),
        );
      });
    },

    countWaiting: () =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{
          resolution: KycRecord["resolution"];
          needsAttention: boolean;
          count: number;
          oldest_seconds: number;
        }>(
          sql`select resolution, needs_attention as "needsAttention", count::int, oldest_seconds::float8 from count_waiting()`,
        );
        return rows.map(({ oldest_seconds, ...row }) => ({ ...row, oldestSeconds: oldest_seconds }));
      }),

    reschedule: (platformId, { kycRecordId, attempt }, { step, notFound, delayMs, needsAttention }, report) =>
      database.asPlatform(platformId, async (tx) => {
        const maxAge = needsAttention ? "0 seconds" : holdAfter;
        const plan = { step, notFound, delay: `${delayMs} milliseconds`, holdAfter: maxAge };
        const values = { platformId, kycRecordId, attempt, ...plan, ...reportValues(report) };
        return pipelineCommit([attemptStatements(tx).rescheduleAttempt.execute(values)], () => undefined);
      }),
  };
}

interface LoadedAttempt {
  record: KycRecord;
  step: Attempt["step"];
  notFound: number;
  traceparent: string | null;
  /** What is left of the lease. */
  leaseMs: number;
  /** Null after the user is erased: the submission cannot be sent any more. */
  encrypted: Buffer | null;
  wrappedKey: WrappedKey;
}

/** Decrypts the submission only if it has to be sent: querying the provider needs no keys. */
async function toAttempt(
  verifiedKeys: VerifiedKeys,
  platformId: string,
  { record, step, notFound, traceparent, encrypted, wrappedKey }: LoadedAttempt,
  sendBefore: number,
): Promise<Attempt> {
  if (step === "ask" || encrypted === null) return { record, step: "ask", notFound, traceparent };
  const { ring, fingerprints } = await verifiedKeys();
  const { kycRecordId, externalUserId: userId } = record;
  const submission = decryptSubmission(encrypted, { platformId, kycRecordId, userId, wrappedKey }, ring);
  const fingerprint = providerFingerprint(platformId, submission, fingerprints);
  return { record, step, notFound, traceparent, submission, fingerprint, sendBefore };
}
