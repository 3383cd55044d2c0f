import {
  type Attempt,
  applyVerdict,
  type KycRecord,
  type KycRecords,
  type RecordChange,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { WrappedKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { withCommit } from "../transaction.ts";
import { platformOf } from "./platform-of.ts";
import { openSubmission } from "./sealed-submission.ts";
import { kycStatements } from "./statements.ts";
import { store, storeIfUnchanged } from "./store.ts";
import { theOneRow } from "./the-one-row.ts";

interface AttemptOptions {
  /** How long an attempt owns its record, as an interval. */
  lease: string;
  keys: Keys;
  /** After how long a record that could not be settled is held for people, as an interval. */
  holdAfter: string;
}

type Attempts = Pick<
  KycRecords,
  "leaseDue" | "loadAttempt" | "storeVerdict" | "reschedule" | "recordProviderUpdate" | "countWaiting"
>;

interface Opened {
  record: KycRecord;
  step: Attempt["step"];
  notFound: number;
  /** Null once its user is erased; then nothing can be sent any more. */
  sealed: Buffer | null;
  wrappedKey: WrappedKey;
}

/** Unseals the submission where it is to be sent, and only there. */
function toAttempt(
  keys: Keys,
  platformId: string,
  { record, step, notFound, sealed, wrappedKey }: Opened,
): Attempt {
  if (step === "ask" || sealed === null) return { record, step: "ask", notFound };
  const { kycRecordId, externalUserId: userId } = record;
  const submission = openSubmission(sealed, { platformId, kycRecordId, userId, wrappedKey }, keys);
  return { record, step, notFound, submission };
}

/** The attempts of records: taken when they are due, opened, and ended by a verdict or a postponement. */
export function attempts(database: Database, { lease, keys, holdAfter }: AttemptOptions): Attempts {
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

    loadAttempt: (platformId, { kycRecordId, attempt }) =>
      database.asPlatform(platformId, async (tx) => {
        const found = kycStatements(tx).loadAttempt.execute({ platformId, kycRecordId, attempt });
        return withCommit([found], ([[opened]]) => (opened ? toAttempt(keys, platformId, opened) : null));
      }),

    async storeVerdict(platformId, known, verdict) {
      const { kycRecordId, attempt } = known;
      const learned = applyVerdict(known, verdict);
      if (learned !== known) {
        const stored = await database.asPlatform(platformId, async (tx) =>
          withCommit([storeIfUnchanged(tx, platformId, known, learned)], ([rows]) => rows.length > 0),
        );
        if (stored) return { before: known, record: learned };
      }
      return database.asPlatform(platformId, async (tx) => {
        const statements = kycStatements(tx);
        const before = theOneRow(await statements.lockRecord.execute({ platformId, kycRecordId }));
        if (before.attempt !== attempt) return { before, record: before };

        const record = applyVerdict(before, verdict);
        const source = record === before ? undefined : "provider";
        return withCommit(store(tx, { platformId, record, source }), () => ({ before, record }));
      });
    },

    async recordProviderUpdate({ reference: kycRecordId, userReference }, verdict) {
      const platformId = await platformOf(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<RecordChange | null>(platformId, async (tx) => {
        const before = theOneRow(await kycStatements(tx).lockRecord.execute({ platformId, kycRecordId }));
        if (before.externalUserId !== userReference) return null;
        const record = applyVerdict(before, verdict);
        const statements = record === before ? [] : store(tx, { platformId, record, source: "event" });
        return withCommit(statements, () => ({ before, record }));
      });
    },

    countWaiting: () =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{
          settlement: KycRecord["settlement"];
          held: boolean;
          count: number;
          oldest_seconds: number;
        }>(sql`select settlement, held, count::int, oldest_seconds::float8 from count_waiting()`);
        return rows.map(({ oldest_seconds, ...row }) => ({ ...row, oldestSeconds: oldest_seconds }));
      }),

    reschedule: (platformId, { kycRecordId, attempt }, { step, notFound, delayMs }) =>
      database.asPlatform(platformId, async (tx) => {
        const plan = { step, notFound, delay: `${delayMs} milliseconds`, holdAfter };
        const mine = { platformId, kycRecordId, attempt };
        return withCommit(
          [kycStatements(tx).rescheduleAttempt.execute({ ...mine, ...plan })],
          () => undefined,
        );
      }),
  };
}
