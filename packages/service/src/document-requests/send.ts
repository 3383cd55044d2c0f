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

type SendPorts = Pick<
  Ports,
  "database" | "personalDataKeys" | "provider" | "observer" | "leaseSeconds" | "callSeconds"
>;

interface Sending {
  record: KycRecord;
  /** What the provider has just reported. */
  reports: readonly ProviderDocumentRequest[];
  steps: ProviderSteps;
  files: ProviderFiles;
}

/**
 * Sends the oldest answer that the provider does not have, with those that it takes together with it, for the attempt
 * that owns the record and has just asked the provider. Answers whose outcome is unknown are sent again only after
 * repeated asks that show their requests as open.
 * @throws Failure SERVICE_UNAVAILABLE; an error of a step or a file. The provider may then have the answer.
 */
export async function sendAnswer(ports: SendPorts, platformId: string, sending: Sending): Promise<void> {
  const { provider, observer, leaseSeconds, callSeconds } = ports;
  if (!provider.answerRequest) return;
  const sendBefore = performance.now() + (leaseSeconds - callSeconds) * 1_000;
  const claimed = await claimAnswers(ports, platformId, sending);
  const [first, ...others] = claimed;
  // The process was delayed, and another attempt may send the answer. It counts as sent, so the next one asks twice.
  if (!first || performance.now() > sendBefore) return;
  const { kycRecordId: reference, externalUserId: userReference } = sending.record;
  const { requestId, documents } = first;
  const answerReference = `${first.documentRequestId}_${first.answeredAt}`;
  const { steps, files } = sending;
  const reply = await provider.answerRequest({
    ...{ reference, userReference, requestId, answerReference, documents, steps, files },
    ...(others.length > 0 && {
      others: others.map(({ requestId, documents }) => ({ requestId, documents })),
    }),
  });
  observer.observe("document_request_answer", { outcome: reply.outcome, kycRecordId: reference });
  await storeReply(ports, platformId, sending.record, claimed, reply);
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

/** Marks answers as sent by this attempt before a byte leaves; none if there are none to send now. */
async function claimAnswers(
  { database, personalDataKeys, leaseSeconds }: SendPorts,
  platformId: string,
  { record: { kycRecordId, externalUserId: userId, attempt }, reports }: Sending,
): Promise<ClaimedAnswer[]> {
  const open = reports.filter(({ status }) => status === "open");
  if (open.length === 0) return [];
  const rows = await database.asPlatform<UnsentAnswer[]>(platformId, async (tx) => {
    const unsent = await selectUnsent(tx, platformId, {
      kycRecordId,
      attempt,
      open: open.map(({ id }) => id),
    });
    const chosen = oldestWhole(unsent, open);
    if (chosen.length === 0) return pipelineCommit([], () => []);
    const attempted = chosen.filter((one) => one.attempted);
    const notFound = attempted.length > 0 ? Math.max(...attempted.map((one) => one.notFound)) + 1 : 0;
    const isSent = attempted.length === 0 || notFound >= requiredNotFound;
    const changed = tx
      .update(documentRequests)
      .set(isSent ? { attemptedAt: sql`clock_timestamp()`, notFound: 0 } : { notFound })
      .where(areRequests(platformId, kycRecordId, chosen));
    const lease = isSent ? [renewLease(tx, platformId, { kycRecordId, attempt }, leaseSeconds)] : [];
    return pipelineCommit([changed, ...lease], () => (isSent ? chosen : []));
  });
  if (rows.length === 0) return [];
  const { ring } = await personalDataKeys();
  return rows.map(({ documentRequestId, answeredAt, requestId, encrypted, wrappedKey }) => {
    const documents = decryptAnswer(encrypted, { platformId, userId, documentRequestId, wrappedKey }, ring);
    return { documentRequestId, answeredAt, requestId, documents };
  });
}

/** The oldest answers that can be sent: all open requests that the provider takes `together` have one. */
function oldestWhole(unsent: UnsentAnswer[], open: readonly ProviderDocumentRequest[]): UnsentAnswer[] {
  const groupOf = ({ id, together }: ProviderDocumentRequest) => together ?? id;
  const groups = new Map(open.map((request) => [request.id, groupOf(request)]));
  for (const { requestId } of unsent) {
    const group = groups.get(requestId);
    const answers = unsent.filter((one) => groups.get(one.requestId) === group);
    if (answers.length === open.filter((request) => groupOf(request) === group).length) return answers;
  }
  return [];
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
      encrypted: sql<Buffer>`${encrypted}`.mapWith(encrypted),
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
    .for("no key update", { of: kycRecords });
}

/** What the provider replied about answers. A refusal of the files opens the request again, so that the user sends others. */
async function storeReply(
  { database }: SendPorts,
  platformId: string,
  { kycRecordId, attempt }: AttemptId,
  answers: readonly AnswerKey[],
  reply: AnswerReply,
): Promise<void> {
  const change = changeAfter(reply);
  if (!change) return;
  // The reply of an attempt that lost its record can be late, and the request can have another answer.
  const isUnsent = and(isNull(documentRequests.sentAt), eq(documentRequests.status, "answered"));
  await database.asPlatform<void>(platformId, async (tx) => {
    const record = await lockRecordOf(tx, platformId, kycRecordId);
    // Another attempt may have sent the answer since.
    if (reply.outcome === "unsent" && record.attempt !== attempt) return;
    const changed = answers.map((answer) =>
      tx
        .update(documentRequests)
        .set(change)
        .where(
          and(
            areRequests(platformId, kycRecordId, [answer]),
            isUnsent,
            eq(answeredMicroseconds, answer.answeredAt),
          ),
        ),
    );
    return pipelineCommit(changed, () => undefined);
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

function areRequests(platformId: string, kycRecordId: string, answers: readonly AnswerKey[]) {
  return and(
    eq(documentRequests.platformId, platformId),
    eq(documentRequests.recordId, kycRecordId),
    inArray(
      documentRequests.id,
      answers.map(({ documentRequestId }) => documentRequestId),
    ),
  );
}
