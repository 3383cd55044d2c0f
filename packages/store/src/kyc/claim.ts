import {
  type Attempt,
  type Claim,
  type ClaimRequest,
  Failure,
  type KycRecord,
  type KycRecords,
  type KycSubmission,
  newState,
  normalizeEmail,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import { fingerprint } from "../fingerprint.ts";
import { UnknownCommit, withCommit } from "../transaction.ts";
import { claimNotes } from "./claim-notes.ts";
import { idempotencyStatements } from "./idempotency-statements.ts";
import { kycStatements } from "./statements.ts";
import { theOneRow } from "./the-one-row.ts";

interface ClaimOptions {
  /** How long the first attempt owns the record, as an interval. */
  lease: string;
  /** The secret of fingerprints. */
  fingerprintKey: string;
}

/** Claiming a submission: user, record, history row, idempotency key and audit entry in one transaction. */
export function claims(
  database: Database,
  { lease, fingerprintKey }: ClaimOptions,
): Pick<KycRecords, "claim" | "forgetKeys"> {
  return {
    forgetKeys: (days) =>
      database.withoutPlatform(async (tx) => {
        await tx.execute(sql`select forget_keys(${`${days} days`}::interval)`);
      }),

    claim: (platformId, request) => foundOut(() => claim(platformId, request), request),
  };

  function claim(platformId: string, request: ClaimRequest): Promise<Claim> {
    return database.asPlatform<Claim>(platformId, async (tx) => {
      const statements = kycStatements(tx);
      const keys = idempotencyStatements(tx);
      const notes = claimNotes(tx, platformId, request);
      const { submission, kycRecordId, idempotency } = request;
      const names = {
        platformId,
        memberId: submission.memberId,
        email: submission.email,
        emailNormalized: normalizeEmail(submission.email),
      };
      const print = fingerprint({ ...submission, email: names.emailNormalized }, fingerprintKey);
      const key = idempotency && {
        platformId,
        operation: idempotency.operation,
        keyHash: fingerprint(idempotency.key, fingerprintKey),
      };

      // One round trip. Another claim of this key or this user holds up the first statement that meets
      // it, and each statement sees what was committed before it began: the later ones see that claim's.
      const [, usedKeys, , found, [latest]] = await Promise.all([
        key && keys.insertKey.execute({ ...key, fingerprint: print, kycRecordId }),
        key && keys.findKey.execute(key),
        statements.insertUser.execute({ ...names, externalUserId: request.externalUserId }),
        statements.lockUsers.execute(names),
        statements.latestRecord.execute(names),
      ]);

      const used = usedKeys?.[0];
      if (used && used.kycRecordId !== kycRecordId) {
        if (!used.fingerprint.equals(print)) throw new Failure("IDEMPOTENCY_KEY_REUSED");
        const found = statements.findRecord.execute({ platformId, kycRecordId: used.kycRecordId });
        return withCommit([found, ...notes.replayed(used.kycRecordId)], ([rows]) => ({
          kind: "replay",
          record: theOneRow(rows),
        }));
      }

      const externalUserId = theOneUser(found, names);
      const compared = latest && { equal: latest.fingerprint.equals(print), newKey: key !== undefined };
      if (latest && compared && decide(request, latest.record, compared) === "replay") {
        const record = latest.record;
        const points = key ? [keys.pointKey.execute({ ...key, kycRecordId: record.kycRecordId })] : [];
        const last = [...points, ...notes.replayed(record.kycRecordId)];
        return withCommit(last, () => ({ kind: "replay", record }));
      }

      const inserted = { ...newState, platformId, kycRecordId };
      return withCommit(
        [
          statements.insertRecord.execute({
            ...inserted,
            externalUserId,
            request: submission,
            fingerprint: print,
            lease,
          }),
          statements.insertHistory.execute({ ...inserted, source: "submission" }),
          notes.made(),
        ],
        ([rows]) => {
          const record = theOneRow(rows);
          return { kind: "new", record, attempt: firstAttempt(record, submission) };
        },
      );
    });
  }
}

/**
 * Claims again when nobody knows whether the commit arrived. A rollback is never assumed: the second claim
 * either makes the record or meets the one that the first has made, whose first attempt is then still ours.
 */
async function foundOut(claim: () => Promise<Claim>, request: ClaimRequest): Promise<Claim> {
  try {
    return await claim();
  } catch (error) {
    if (!(error instanceof Failure && error.details.cause instanceof UnknownCommit)) throw error;
  }
  const { record, ...found } = await claim();
  const ours = record.kycRecordId === request.kycRecordId && record.attempt === 1;
  if (found.kind === "new" || !ours) return { record, ...found };
  return { kind: "new", record, attempt: firstAttempt(record, request.submission) };
}

function firstAttempt(record: KycRecord, submission: KycSubmission): Attempt {
  return { record, submission, step: "send", notFound: 0 };
}

type Names = { memberId: string; emailNormalized: string };

/** Both names have to be one user's (gap G17). */
function theOneUser(found: ({ id: string } & Names)[], names: Names): string {
  const [user] = found;
  const same = user?.memberId === names.memberId && user.emailNormalized === names.emailNormalized;
  if (found.length !== 1 || !user || !same) throw new Failure("USER_IDENTITY_CONFLICT");
  return user.id;
}

function decide(
  request: ClaimRequest,
  latest: KycRecord,
  compared: Parameters<ClaimRequest["decide"]>[1],
): "submit" | "replay" {
  const decision = request.decide(latest, compared);
  if (decision !== "conflict") return decision;
  throw new Failure("KYC_ALREADY_SUBMITTED", { kycRecordId: latest.kycRecordId });
}
