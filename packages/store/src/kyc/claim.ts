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
import { useFiles } from "../files/use.ts";
import { fingerprint } from "../fingerprint.ts";
import { mintDataKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { keyGate } from "../sealing/known-keys.ts";
import { sealUser } from "../sealing/user.ts";
import { UnknownCommit, withCommit } from "../transaction.ts";
import { claimNewcomer } from "./claim-newcomer.ts";
import { claimNotes } from "./claim-notes.ts";
import { idempotencyStatements } from "./idempotency-statements.ts";
import { sealSubmission, sealUnder } from "./sealed-submission.ts";
import { kycStatements } from "./statements.ts";
import { theOneRow } from "./the-one-row.ts";

interface ClaimOptions {
  /** How long the first attempt owns the record, as an interval. */
  lease: string;
  keys: Keys;
}

/** Claiming a submission: user, record, history row, idempotency key and audit entry in one transaction. */
export function claims(
  database: Database,
  { lease, keys }: ClaimOptions,
): Pick<KycRecords, "claim" | "forgetKeys"> {
  const keysPass = keyGate(database, keys);
  return {
    forgetKeys: (days) =>
      database.withoutPlatform(async (tx) => {
        await tx.execute(sql`select delete_idempotency_keys(${`${days} days`}::interval)`);
      }),

    async claim(platformId, request) {
      await keysPass();
      return foundOut(() => claim(platformId, request), request);
    },
  };

  async function claim(platformId: string, request: ClaimRequest): Promise<Claim> {
    const { submission, externalUserId, kycRecordId, idempotency } = request;
    // LeaseResult only when the user is new; minted here, because the insert comes before anyone knows.
    const dataKey = mintDataKey();
    const newcomer = sealUser(keys, { platformId, userId: externalUserId }, submission, dataKey);
    const print = fingerprint({ ...submission, email: normalizeEmail(submission.email) }, keys.fingerprints);
    const key = idempotency && {
      platformId,
      operation: idempotency.operation,
      keyHash: fingerprint(idempotency.key, keys.fingerprints),
    };

    // Most users are new. Where a key or files have to be looked at as well, that comes first.
    if (!key && request.files.length === 0) {
      const sealedSubmission = sealUnder(dataKey, submission, { platformId, kycRecordId });
      const rows = { user: newcomer, sealedSubmission, fingerprint: print, lease };
      const made = await database.asPlatform(platformId, async (tx) =>
        withCommit([claimNewcomer(tx, platformId, request, rows)], ([[record]]) => record),
      );
      if (made) return { kind: "new", record: made, attempt: firstAttempt(made, submission) };
    }

    return database.asPlatform<Claim>(platformId, async (tx) => {
      const statements = kycStatements(tx);
      const keyStatements = idempotencyStatements(tx);
      const notes = claimNotes(tx, platformId, request);

      // One round trip. Another claim of this key or this user holds up the first statement that meets
      // it, and each statement sees what was committed before it began: the later ones see that claim's.
      const [, usedKeys, , found, [latest]] = await Promise.all([
        key && keyStatements.insertKey.execute({ ...key, fingerprint: print, kycRecordId }),
        key && keyStatements.findKey.execute(key),
        statements.insertUser.execute({ ...newcomer, platformId, externalUserId }),
        statements.lockUsers.execute({ ...newcomer, platformId }),
        statements.latestRecord.execute({ ...newcomer, platformId }),
      ]);

      const earlier = usedKeys?.[0];
      if (earlier && earlier.kycRecordId !== kycRecordId) {
        if (!earlier.fingerprint.equals(print)) throw new Failure("IDEMPOTENCY_KEY_REUSED");
        const found = statements.findRecord.execute({ platformId, kycRecordId: earlier.kycRecordId });
        return withCommit([found, ...notes.replayed(earlier.kycRecordId)], ([rows]) => ({
          kind: "replay",
          record: theOneRow(rows),
        }));
      }

      const user = theOneUser(found, newcomer);
      const compared = latest && { equal: latest.fingerprint.equals(print), newKey: key !== undefined };
      const decision = latest && compared ? request.decide(latest.record, compared) : "submit";
      if (latest && decision === "replay") {
        const { record } = latest;
        const toRecord = { ...key, kycRecordId: record.kycRecordId };
        const points = key ? [keyStatements.pointKey.execute(toRecord)] : [];
        const last = [...points, ...notes.replayed(record.kycRecordId)];
        return withCommit(last, () => ({ kind: "replay", record }));
      }
      if (user.eraseRequestedAt) throw new Failure("USER_ERASURE_PENDING");
      if (latest && decision === "conflict")
        throw new Failure("KYC_ALREADY_SUBMITTED", { kycRecordId: latest.record.kycRecordId });

      const place = { platformId, kycRecordId, userId: user.id, wrappedKey: user.wrappedKey };
      const inserted = { ...newState, platformId, kycRecordId };
      const used = await useFiles(tx, place, request.files, keys);
      return withCommit(
        [
          statements.insertRecord.execute({
            ...inserted,
            externalUserId: user.id,
            sealedSubmission: sealSubmission(submission, place, keys),
            fingerprint: print,
            lease,
          }),
          statements.insertHistory.execute({ ...inserted, source: "submission" }),
          notes.made(),
          ...used,
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

type Indexes = Record<"memberIdIndex" | "emailIndex", Buffer | null>;

/** Both names have to be one user's (gap G17). Whoever was there a moment ago and is not was erased. */
function theOneUser<T extends Indexes>(found: T[], { memberIdIndex, emailIndex }: Indexes): T {
  const [user] = found;
  if (!user) throw new Failure("USER_ERASURE_PENDING");
  const same = isEqual(user.memberIdIndex, memberIdIndex) && isEqual(user.emailIndex, emailIndex);
  if (found.length !== 1 || !same) throw new Failure("USER_IDENTITY_CONFLICT");
  return user;
}

function isEqual(one: Buffer | null, other: Buffer | null): boolean {
  return one !== null && other !== null && one.equals(other);
}
