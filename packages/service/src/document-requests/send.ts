import {
  type AnswerFile,
  type AnswerReply,
  type AttemptId,
  type KycRecord,
  type ProviderDocumentRequest,
  type ProviderFiles,
  type ProviderSteps,
  requiredNotFound,
} from "@cardbridge/domain";
import { and, asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { documentRequests, kycRecords, users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { decryptAnswer } from "../encryption/answer.ts";
import type { Ports } from "../operation/ports.ts";
import { lockRecordOf } from "./lock.ts";

type SendPorts = Pick<Ports, "database" | "personalDataKeys" | "provider" | "observer" | "leaseSeconds">;

interface Sending {
  record: KycRecord;
  /** What the provider has just reported. */
  reports: readonly ProviderDocumentRequest[];
  steps: ProviderSteps;
  files: ProviderFiles;
}

/**
 * Sends the oldest answer that the provider does not have, for the attempt that owns the record and has just asked the
 * provider. An answer whose outcome is unknown is sent again only after repeated asks that show the request as open.
 * @throws Failure SERVICE_UNAVAILABLE; an error of a step or a file. The provider may then have the answer.
 */
export async function sendAnswer(ports: SendPorts, platformId: string, sending: Sending): Promise<void> {
  const { provider, observer } = ports;
  if (!provider.answerRequest) return;
  const answer = await claimAnswer(ports, platformId, sending);
  if (!answer) return;
  const { kycRecordId: reference, externalUserId: userReference } = sending.record;
  const { requestId, documents } = answer;
  const answerReference = `${answer.documentRequestId}_${answer.answeredAt}`;
  const { steps, files } = sending;
  const reply = await provider.answerRequest({
    ...{ reference, userReference, requestId, answerReference, documents, steps, files },
  });
  observer.observe("document_request_answer", { outcome: reply.outcome, kycRecordId: reference });
  await storeReply(ports, platformId, { kycRecordId: reference, ...answer }, reply);
}

/** Identifies an answer: after a refusal, the same request has another one, which the provider must not confuse with it. */
interface AnswerKey {
  documentRequestId: string;
  /** Microseconds since 1970. */
  answeredAt: string;
}

const answeredMicroseconds = sql<string>`(extract(epoch from ${documentRequests.answeredAt}) * 1000000)::bigint::text`;

interface ClaimedAnswer extends AnswerKey {
  requestId: string;
  documents: AnswerFile[];
}

/** Marks an answer as sent by this attempt before a byte leaves; undefined if there is none to send now. */
async function claimAnswer(
  { database, personalDataKeys, leaseSeconds }: SendPorts,
  platformId: string,
  { record: { kycRecordId, externalUserId: userId, attempt }, reports }: Sending,
): Promise<ClaimedAnswer | undefined> {
  const open = reports.filter(({ status }) => status === "open").map(({ id }) => id);
  if (open.length === 0) return undefined;
  const row = await database.asPlatform<UnsentAnswer | undefined>(platformId, async (tx) => {
    const [unsent] = await selectUnsent(tx, platformId, { kycRecordId, attempt, open });
    if (!unsent) return pipelineCommit([], () => undefined);
    const notFound = unsent.attempted ? unsent.notFound + 1 : 0;
    const isSent = !unsent.attempted || notFound >= requiredNotFound;
    const changed = tx
      .update(documentRequests)
      .set(isSent ? { attemptedAt: sql`clock_timestamp()`, notFound: 0 } : { notFound })
      .where(isRequest(platformId, kycRecordId, unsent.documentRequestId));
    const lease = isSent ? [renewLease(tx, platformId, { kycRecordId, attempt }, leaseSeconds)] : [];
    return pipelineCommit([changed, ...lease], () => (isSent ? unsent : undefined));
  });
  if (!row?.encrypted) return undefined;
  const { ring } = await personalDataKeys();
  const { documentRequestId, answeredAt, requestId, encrypted, wrappedKey } = row;
  const documents = decryptAnswer(encrypted, { platformId, userId, documentRequestId, wrappedKey }, ring);
  return { documentRequestId, answeredAt, requestId, documents };
}

/** The lease that the look-up used up covers one call, and the answer is another one. */
function renewLease(
  tx: Tx,
  platformId: string,
  { kycRecordId, attempt }: AttemptId,
  leaseSeconds: number,
): Promise<unknown> {
  const end = sql`now() + ${leaseSeconds} * interval '1 second'`;
  return tx
    .update(kycRecords)
    .set({ leaseUntil: end, dueAt: end })
    .where(
      and(
        eq(kycRecords.platformId, platformId),
        eq(kycRecords.id, kycRecordId),
        eq(kycRecords.attempt, attempt),
        isNotNull(kycRecords.dueAt),
      ),
    )
    .execute();
}

type UnsentAnswer = Awaited<ReturnType<typeof selectUnsent>>[number];

interface OpenRequests {
  kycRecordId: string;
  attempt: number;
  /** The provider's ids of its open requests. */
  open: string[];
}

/** Only the attempt that owns the record finds an answer. An erased user has none. */
function selectUnsent(tx: Tx, platformId: string, { kycRecordId, attempt, open }: OpenRequests) {
  const { recordId, id, providerId, status, sentAt, answeredAt, encrypted } = documentRequests;
  return tx
    .select({
      documentRequestId: id,
      answeredAt: answeredMicroseconds,
      requestId: providerId,
      encrypted,
      attempted: sql<boolean>`${documentRequests.attemptedAt} is not null`,
      notFound: documentRequests.notFound,
      wrappedKey: { dataKey: sql<Buffer>`${users.dataKey}`, keyVersion: sql<number>`${users.keyVersion}` },
    })
    .from(documentRequests)
    .innerJoin(
      kycRecords,
      and(eq(kycRecords.platformId, documentRequests.platformId), eq(kycRecords.id, recordId)),
    )
    .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
    .where(
      and(
        eq(documentRequests.platformId, platformId),
        eq(recordId, kycRecordId),
        inArray(providerId, open),
        eq(kycRecords.attempt, attempt),
        eq(status, "answered"),
        isNull(sentAt),
        sql`${encrypted} is not null`,
      ),
    )
    .orderBy(asc(answeredAt), asc(id))
    .limit(1)
    .for("no key update", { of: kycRecords });
}

/** What the provider replied about an answer. A refusal of the files opens the request again, so that the user sends others. */
async function storeReply(
  { database }: SendPorts,
  platformId: string,
  { kycRecordId, documentRequestId, answeredAt }: AnswerKey & { kycRecordId: string },
  reply: AnswerReply,
): Promise<void> {
  const change = changeAfter(reply);
  if (!change) return;
  // The reply of an attempt that lost its record can be late, and the request can have another answer.
  const isUnsent = and(
    isNull(documentRequests.sentAt),
    eq(documentRequests.status, "answered"),
    eq(answeredMicroseconds, answeredAt),
  );
  await database.asPlatform<void>(platformId, async (tx) => {
    await lockRecordOf(tx, platformId, kycRecordId);
    const changed = tx
      .update(documentRequests)
      .set(change)
      .where(and(isRequest(platformId, kycRecordId, documentRequestId), isUnsent));
    return pipelineCommit([changed], () => undefined);
  });
}

function changeAfter(reply: AnswerReply) {
  switch (reply.outcome) {
    case "accepted":
      return { sentAt: sql`clock_timestamp()` };
    case "refused": {
      const answer = { answeredAt: null, encrypted: null, fingerprint: null, attemptedAt: null, notFound: 0 };
      return { ...answer, status: "open" as const, source: "provider" as const, reason: reply.reason };
    }
    // Nothing arrived, so the next attempt sends without asking twice.
    case "unsent":
      return { attemptedAt: null };
    case "unknown":
      return undefined;
  }
}

function isRequest(platformId: string, kycRecordId: string, documentRequestId: string) {
  return and(
    eq(documentRequests.platformId, platformId),
    eq(documentRequests.recordId, kycRecordId),
    eq(documentRequests.id, documentRequestId),
  );
}
