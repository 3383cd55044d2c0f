import { type CreateResult, Failure, type KycRecords } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { UnknownCommit } from "../database/errors.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { VerifiedKeys } from "../encryption/verified-keys.ts";
import { retryOnIdentityRace } from "../users/retry-on-identity-race.ts";
import { createForNewUser } from "./create-for-new-user.ts";
import { createInTransaction, creationResult } from "./create-in-transaction.ts";
import { type PreparedRecord, prepareRecord, RestoredExecution, type RestoredIds } from "./prepare-record.ts";

interface CreateOptions {
  verifiedKeys: VerifiedKeys;
  /** How long the first attempt owns the record, as an interval. */
  lease: string;
  /** How long after the lease began that attempt may send. */
  sendWithinMs: number;
}

/** Creates or replays records: user, record, history row, idempotency key and audit entry in one transaction. */
export function recordCreation(
  database: Database,
  { verifiedKeys, lease, sendWithinMs }: CreateOptions,
): Pick<KycRecords, "createOrReplay" | "pruneKeys"> {
  return {
    pruneKeys: (days, limit) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ count: number }>(
          sql`select delete_idempotency_keys(${`${days} days`}::interval, ${limit})::int as count`,
        );
        return rows[0]?.count ?? 0;
      }),

    async createOrReplay(platformId, request) {
      const keys = await verifiedKeys();
      const prepare = (restored?: RestoredIds) =>
        prepareRecord(platformId, request, { keys, lease, sendWithinMs, restored });
      const prepared = prepare();
      const create = () =>
        createRecord(database, prepared).catch((error: unknown) => {
          if (error instanceof RestoredExecution) return createRecord(database, prepare(error.ids));
          throw error;
        });
      return resolveUnknownCommit(create, prepared);
    },
  };
}

async function createRecord(database: Database, prepared: PreparedRecord): Promise<CreateResult> {
  const { platformId, request, key, lease } = prepared;
  // Most users are new: one statement creates their record, unless a key, a file or a limit has to be checked.
  if (!key && request.files.length === 0 && lease !== null) {
    const record = await database.asPlatform(platformId, async (tx) =>
      pipelineCommit([createForNewUser(tx, prepared)], ([[created]]) => created),
    );
    if (record) return creationResult(record, prepared);
  }
  return retryOnIdentityRace(() =>
    database.asPlatform<CreateResult>(platformId, (tx) => createInTransaction(tx, prepared)),
  );
}

/**
 * Repeats the transaction if the outcome of its commit is unknown. The retry creates the record, or finds the record
 * that the first transaction created. In both cases the first attempt belongs to this caller.
 */
async function resolveUnknownCommit(
  create: () => Promise<CreateResult>,
  prepared: PreparedRecord,
): Promise<CreateResult> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof Failure && error.details.cause instanceof UnknownCommit)) throw error;
  }
  const second = await create();
  const { record } = second;
  const isOurs = record.kycRecordId === prepared.request.kycRecordId && record.attempt === 1;
  if (second.kind !== "replay" || !isOurs) return second;
  return creationResult(record, prepared);
}
