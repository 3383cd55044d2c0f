import { type Claim, type ClaimRequest, Failure, type KycRecords } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { KeyGate } from "../sealing/key-gate.ts";
import { UnknownCommit, withCommit } from "../transaction.ts";
import { lookAgain } from "../users/look-again.ts";
import { claimInTransaction } from "./claim-in-transaction.ts";
import { claimNewUser } from "./claim-new-user.ts";
import { firstAttempt, firstClaim } from "./first-attempt.ts";
import { type PreparedClaim, prepareClaim } from "./prepare-claim.ts";

interface ClaimOptions {
  keyGate: KeyGate;
  /** How long the first attempt owns the record, as an interval. */
  lease: string;
}

/** Claims a submission: user, record, history row, idempotency key and audit entry in one transaction. */
export function claims(
  database: Database,
  { keyGate, lease }: ClaimOptions,
): Pick<KycRecords, "claim" | "forgetKeys"> {
  return {
    forgetKeys: (days) =>
      database.withoutPlatform(async (tx) => {
        await tx.execute(sql`select delete_idempotency_keys(${`${days} days`}::interval)`);
      }),

    async claim(platformId, request) {
      const keys = await keyGate();
      return resolveUnknownCommit(
        () => claim(database, prepareClaim(platformId, request, { keys, lease })),
        request,
      );
    },
  };
}

async function claim(database: Database, prepared: PreparedClaim): Promise<Claim> {
  const { platformId, request, key, lease } = prepared;
  // Most users are new, and one statement claims for them unless there is a key, a file or a bound to check.
  if (!key && request.files.length === 0 && lease !== null) {
    const record = await database.asPlatform(platformId, async (tx) =>
      withCommit([claimNewUser(tx, prepared)], ([[created]]) => created),
    );
    if (record) return { kind: "new", record, attempt: firstAttempt(record, request.submission) };
  }
  return lookAgain(() => database.asPlatform<Claim>(platformId, (tx) => claimInTransaction(tx, prepared)));
}

/**
 * Claims again when the outcome of the commit is unknown. The second claim creates the record, or finds the one
 * that the first claim created: its first attempt then still belongs to this caller.
 */
async function resolveUnknownCommit(claim: () => Promise<Claim>, request: ClaimRequest): Promise<Claim> {
  try {
    return await claim();
  } catch (error) {
    if (!(error instanceof Failure && error.details.cause instanceof UnknownCommit)) throw error;
  }
  const second = await claim();
  const { record } = second;
  const isOurs = record.kycRecordId === request.kycRecordId && record.attempt === 1;
  if (second.kind !== "replay" || !isOurs) return second;
  return firstClaim(record, request);
}
