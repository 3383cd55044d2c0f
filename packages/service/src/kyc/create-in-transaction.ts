import {
  type CreateResult,
  decideSubmission,
  Failure,
  type KycRecord,
  newState,
  ReasonError,
} from "@cardbridge/domain";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { kycRecords } from "../database/schema.ts";
import { type PipelinedCommit, perConnection, pipelineCommit, type Tx } from "../database/statements.ts";
import { encryptSubmission } from "../encryption/submission.ts";
import { useFiles } from "../files/use.ts";
import { auditMove, moveEmail } from "../users/change-names.ts";
import { readEmailOwner } from "../users/email-owner.ts";
import { lockUsers } from "../users/lock.ts";
import { IdentityChanged } from "../users/retry-on-identity-race.ts";
import { auditCreation } from "./audit-creation.ts";
import { creationStatements } from "./creation-statements.ts";
import { idempotencyStatements } from "./idempotency-statements.ts";
import { type PreparedRecord, RestoredExecution } from "./prepare-record.ts";
import { submissionFacts } from "./submission-facts.ts";

/** The workers send some of the records within this time. */
const retryAfterSeconds = 5;

const statements = perConnection((tx) => {
  const unsent = tx
    .select({ one: sql`1`.as("one") })
    .from(kycRecords)
    .where(
      and(
        eq(kycRecords.platformId, sql.placeholder("platformId")),
        eq(kycRecords.resolution, sql`'unresolved'`),
        eq(kycRecords.step, sql`'send'`),
        isNull(kycRecords.leaseUntil),
        isNotNull(kycRecords.dueAt),
      ),
    )
    .limit(sql.placeholder("max"))
    .as("unsent");
  return {
    count: tx
      .select({ count: sql<number>`count(*)`.mapWith(Number) })
      .from(unsent)
      .prepare("kyc_count_unsent"),
  };
});

/**
 * Creates or replays a record in a transaction that checks the Idempotency-Key, the users with the submitted
 * identifiers, their records and the files.
 * @throws Failure RATE_LIMITED if the platform has too many unsent records; IdentityChanged or a unique violation of
 *   users if the transaction has to run again; RestoredExecution if it has to run with the ids of that execution.
 */
export async function createInTransaction(
  tx: Tx,
  prepared: PreparedRecord,
): Promise<PipelinedCommit<CreateResult>> {
  const { platformId, request, keys, user: newUser, fingerprint, providerFingerprint, key, lease } = prepared;
  const { submission, kycRecordId, externalUserId } = request;
  const statements = creationStatements(tx);
  const keyStatements = idempotencyStatements(tx);
  const audit = auditCreation(tx, platformId, request);
  const noKey = { operation: null, keyHash: null };
  const userRow = {
    ...(key ?? noKey),
    ...newUser,
    platformId,
    externalUserId,
    kycRecordId,
  };

  // One round trip. The first statement that conflicts with a concurrent submission of this key or user waits for it.
  // Later statements see the rows which that submission committed. A used key inserts no user.
  const [, keyRows, , { user, emailOwner }, records, [restored]] = await Promise.all([
    key && keyStatements.insertKey.execute({ ...key, fingerprint, kycRecordId }),
    key && keyStatements.findKey.execute(key),
    statements.insertUser.execute(userRow),
    lockUsers(tx, platformId, newUser),
    statements.recordsToCompare.execute({ ...newUser, platformId, fingerprint }),
    statements.findRestored.execute({ providerFingerprint }),
  ]);

  const usedKey = keyRows?.find((row) => row.kycRecordId !== kycRecordId);
  if (!usedKey && !user && !emailOwner) throw new IdentityChanged();
  const ownerFacts = emailOwner && (await readEmailOwner(tx, platformId, emailOwner));
  const decision = decideSubmission(
    submissionFacts(prepared, { usedKey, user, emailOwner: ownerFacts, records }),
    request,
  );
  if (decision.kind === "refuse") throw decision.failure;
  if (decision.kind === "replay") {
    const id = { platformId, kycRecordId: decision.kycRecordId };
    const known = records.find(({ record }) => record.kycRecordId === decision.kycRecordId);
    const found = known ? [known.record] : statements.findRecord.execute(id);
    const updateKey = key && !usedKey ? [keyStatements.updateKey.execute({ ...key, ...id })] : [];
    const replayed = [...updateKey, ...audit.replayed(decision.kycRecordId)];
    return pipelineCommit([Promise.resolve(found), ...replayed], ([rows]) => ({
      kind: "replay",
      record: requireRow(rows, "KYC record"),
    }));
  }

  const isTheirs = user === undefined || [externalUserId, restored?.externalUserId].includes(user.id);
  if (restored && isTheirs && restored.kycRecordId !== kycRecordId) throw new RestoredExecution(restored);
  await refuseBeyond(tx, platformId, request.maxUnsent);
  const from = decision.takesEmail ? emailOwner?.id : undefined;
  const to = decision.bindsEmail ? user?.id : undefined;
  await moveEmail(tx, keys, { platformId, email: submission.email, from, to });
  const submitter = user ?? (await createUser());
  const moved = (from ?? to) ? [from, submitter.id] : [];
  const owner = { platformId, kycRecordId, userId: submitter.id, wrappedKey: submitter.wrappedKey };
  const state = { ...newState, platformId, kycRecordId };
  const fileStatements = await useFiles(tx, owner, request.files, keys.ring);
  return pipelineCommit(
    [
      statements.insertRecord.execute({
        ...state,
        ...request.expiry,
        renews: decision.renews,
        externalUserId: submitter.id,
        encryptedSubmission: encryptSubmission(submission, owner, keys.ring),
        fingerprint,
        lease,
      }),
      statements.insertHistory.execute({ ...state, source: "submission" }),
      audit.done(),
      ...auditMove(tx, platformId, request.by, moved),
      ...fileStatements,
    ],
    ([rows]) => creationResult(requireRow(rows, "KYC record"), prepared),
  );

  /** Inserts the user after the e-mail was removed from its previous owner, whose e-mail prevented the insert. */
  async function createUser() {
    const [created] = await statements.insertUser.execute(userRow);
    if (!created) throw new IdentityChanged();
    return { id: created.id, wrappedKey: newUser };
  }
}

/**
 * Rejects another unsent record of a platform. Concurrent submissions do not see each other, so they can exceed the
 * limit by their number.
 * @throws Failure RATE_LIMITED if the platform has `max` unsent records.
 */
async function refuseBeyond(tx: Tx, platformId: string, max: number | undefined): Promise<void> {
  if (max === undefined) return;
  const [row] = await statements(tx).count.execute({ platformId, max });
  if ((row?.count ?? 0) < max) return;
  throw new Failure("RATE_LIMITED", { retryAfterSeconds, cause: new ReasonError("too-many-unsent") });
}

/**
 * The result of a new record: the caller sends it, or a worker does (`unsent`). For a submission that the provider
 * executed before a restore, the first attempt asks.
 */
export function creationResult(
  record: KycRecord,
  { request, providerFingerprint: fingerprint, isRestored, sendBefore }: PreparedRecord,
): CreateResult {
  const { submission, maxUnsent } = request;
  if (maxUnsent !== undefined) return { kind: "unsent", record };
  const attempt = { record, notFound: 0 };
  return isRestored
    ? { kind: "new", record, attempt: { ...attempt, step: "ask" } }
    : { kind: "new", record, attempt: { ...attempt, step: "send", submission, fingerprint, sendBefore } };
}
