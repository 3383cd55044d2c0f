import { type Claim, Failure, newState } from "@cardbridge/domain";
import { useFiles } from "../files/use.ts";
import { requireRow } from "../require-row.ts";
import { isEqualIndex } from "../sealing/blind-index.ts";
import type { Tx } from "../statements.ts";
import { type WithCommit, withCommit } from "../transaction.ts";
import { claimAudit } from "./claim-audit.ts";
import { firstAttempt } from "./first-attempt.ts";
import { idempotencyStatements } from "./idempotency-statements.ts";
import type { PreparedClaim } from "./prepare-claim.ts";
import { sealSubmission } from "./sealed-submission.ts";
import { kycStatements } from "./statements.ts";

/** The user whom the claim found lost these names before it could lock them: by a relink, or by an erasure. */
export class UserGone extends Error {
  override readonly name = "UserGone";
}

/**
 * Claims in a transaction that looks at the Idempotency-Key, the user, the latest record and the files.
 * @throws UserGone: the transaction has to run again.
 */
export async function claimInTransaction(tx: Tx, claim: PreparedClaim): Promise<WithCommit<Claim>> {
  const { platformId, request, keys, user: newUser, fingerprint, isEqualBody, key, lease } = claim;
  const { submission, externalUserId, kycRecordId } = request;
  const statements = kycStatements(tx);
  const keyStatements = idempotencyStatements(tx);
  const audit = claimAudit(tx, platformId, request);

  // One round trip. The first statement that meets a concurrent claim of this key or this user waits for it.
  // Each later statement then sees what that claim committed.
  const [, usedKeys, , users, [latest]] = await Promise.all([
    key && keyStatements.insertKey.execute({ ...key, fingerprint, kycRecordId }),
    key && keyStatements.findKey.execute(key),
    statements.insertUser.execute({ ...newUser, platformId, externalUserId }),
    statements.lockUsers.execute({ ...newUser, platformId }),
    statements.latestRecord.execute({ ...newUser, platformId }),
  ]);

  const usedKey = usedKeys?.[0];
  if (usedKey && usedKey.kycRecordId !== kycRecordId) {
    if (!isEqualBody(usedKey.fingerprint)) throw new Failure("IDEMPOTENCY_KEY_REUSED");
    const found = statements.findRecord.execute({ platformId, kycRecordId: usedKey.kycRecordId });
    return withCommit([found, ...audit.replayed(usedKey.kycRecordId)], ([rows]) => ({
      kind: "replay",
      record: requireRow(rows, "KYC record"),
    }));
  }

  const user = requireSameUser(users, newUser);
  const resubmission = latest && { equal: isEqualBody(latest.fingerprint), newKey: key !== undefined };
  const decision = latest && resubmission ? request.decide(latest.record, resubmission) : "submit";
  if (latest && decision === "replay") {
    const { record } = latest;
    const { kycRecordId } = record;
    const updateKey = key ? [keyStatements.updateKey.execute({ ...key, kycRecordId })] : [];
    return withCommit([...updateKey, ...audit.replayed(kycRecordId)], () => ({ kind: "replay", record }));
  }
  if (user.eraseRequestedAt) throw new Failure("USER_ERASURE_PENDING");
  if (latest && decision === "conflict")
    throw new Failure("KYC_ALREADY_SUBMITTED", { kycRecordId: latest.record.kycRecordId });

  const owner = { platformId, kycRecordId, userId: user.id, wrappedKey: user.wrappedKey };
  const state = { ...newState, platformId, kycRecordId };
  const fileStatements = await useFiles(tx, owner, request.files, keys.ring);
  return withCommit(
    [
      statements.insertRecord.execute({
        ...state,
        externalUserId: user.id,
        sealedSubmission: sealSubmission(submission, owner, keys.ring),
        fingerprint,
        lease,
      }),
      statements.insertHistory.execute({ ...state, source: "submission" }),
      audit.done(),
      ...fileStatements,
    ],
    ([rows]) => {
      const record = requireRow(rows, "KYC record");
      return { kind: "new", record, attempt: firstAttempt(record, submission) };
    },
  );
}

type Indexes = Record<"memberIdIndex" | "emailIndex", Buffer | null>;

/** The one user who has both names (gap G17). */
function requireSameUser<T extends Indexes>(users: T[], { memberIdIndex, emailIndex }: Indexes): T {
  const [user] = users;
  if (!user) throw new UserGone();
  const same = isEqualIndex(user.memberIdIndex, memberIdIndex) && isEqualIndex(user.emailIndex, emailIndex);
  if (users.length !== 1 || !same) throw new Failure("USER_IDENTITY_CONFLICT");
  return user;
}
