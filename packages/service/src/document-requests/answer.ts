import {
  answerBody,
  comparableFiles,
  type DocumentRequest,
  type DocumentRequestState,
  documentRequest,
  documentRequestAnswer,
  Failure,
  fileOriginsRules,
  type Policies,
  purposeOfDocument,
  type Violation,
} from "@cardbridge/domain";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { documentRequests, kycRecords, users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { encryptAnswer } from "../encryption/answer.ts";
import { fingerprint } from "../encryption/fingerprint.ts";
import { ownFiles } from "../files/own-files.ts";
import { useFiles } from "../files/use.ts";
import { forPlatforms } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleRequest } from "./example.ts";
import { lockRecordOf } from "./lock.ts";
import { requestFields, toShownRequest } from "./read.ts";

/** Answers a request of the provider for a document (an extension, gap G43). */
export const answerRequest = (policies: Policies) =>
  defineOperation({
    ...forPlatforms,
    id: "kyc.answerRequest",
    kind: "write",
    rest: { method: "post", path: "/users/kyc/{kycRecordId}/requests/{documentRequestId}", tag: "KYC" },
    summary: "Answer a request for a document",
    description:
      "Stores the files that answer a request of the provider, and sends them in the background: the request is " +
      "answered, and sentAt is null until the provider has them. The same files again return the request as it is.",
    documented: false,
    scopes: ["kyc:write"],
    input: documentRequestAnswer,
    rules: fileOriginsRules(policies, answerBody),
    output: documentRequest,
    example: {
      input: {
        kycRecordId: "kyc_01jexample0000000000000000",
        documentRequestId: exampleRequest.documentRequestId,
        files: [{ documentType: "BANK_STATEMENT", fileUrl: "https://files.example.com/statement.pdf" }],
      },
      output: { ...exampleRequest, status: "answered", answeredAt: "2026-01-31T12:05:00.000Z" },
    },
    errors: [
      "KYC_RECORD_NOT_FOUND",
      "DOCUMENT_REQUEST_NOT_FOUND",
      "DOCUMENT_REQUEST_CONFLICT",
      "USER_ERASURE_PENDING",
    ],
    audit: ["KYC_RECORD_NOT_FOUND", "DOCUMENT_REQUEST_NOT_FOUND", "DOCUMENT_REQUEST_CONFLICT"],

    async run({ database, personalDataKeys, fileUrls }, call, { kycRecordId, documentRequestId, files }) {
      const { platformId } = call;
      const keys = await personalDataKeys();
      const { uses, unknown } = ownFiles(
        answerBody.filesOf({ files }),
        fileUrls,
        policies.capabilities.files,
      );
      if (unknown.length > 0) throw new Failure("INVALID_INPUT", { violations: unknown });
      const hash = fingerprint(comparableFiles(files), keys.fingerprints);
      const isRequest = and(
        eq(documentRequests.platformId, platformId),
        eq(documentRequests.recordId, kycRecordId),
        eq(documentRequests.id, documentRequestId),
      );
      return database.asPlatform<Answered>(platformId, async (tx) => {
        const user = await lockAnswerer(tx, platformId, kycRecordId);
        const [row] = await tx
          .select({ ...requestFields, fingerprint: documentRequests.fingerprint })
          .from(documentRequests)
          .where(isRequest);
        if (!row) throw new Failure("DOCUMENT_REQUEST_NOT_FOUND", { kycRecordId });
        const { fingerprint: known, ...stored } = row;
        if (known?.equals(hash) && stored.status !== "open") {
          const replayed = { data: toShownRequest(stored), subject: kycRecordId, replayed: true };
          return pipelineCommit([audit(tx, call, kycRecordId)], () => replayed);
        }
        requireAnswerable(stored, files);
        const owner = { ...user, platformId, documentRequestId };
        const fileStatements = await useFiles(tx, owner, uses, keys.ring);
        const written = tx
          .update(documentRequests)
          .set({
            status: "answered",
            source: "submission",
            answeredAt: sql`clock_timestamp()`,
            encrypted: encryptAnswer(files, owner, keys.ring),
            fingerprint: hash,
            attemptedAt: null,
            notFound: 0,
          })
          .where(isRequest)
          .returning(requestFields);
        return pipelineCommit(
          [written, makeDue(tx, platformId, kycRecordId), audit(tx, call, kycRecordId), ...fileStatements],
          ([[answered = stored]]) => ({ data: toShownRequest(answered), subject: kycRecordId }),
        );
      });
    },
  });

interface Answered {
  data: DocumentRequest;
  subject: string;
  replayed?: boolean;
}

/** Locks the record, and reads the key under which its user's answers are encrypted. */
async function lockAnswerer(tx: Tx, platformId: string, kycRecordId: string) {
  const [user] = await tx
    .select({
      userId: users.id,
      erasureRequested: isNotNull(users.eraseRequestedAt).mapWith(Boolean),
      wrappedKey: { dataKey: sql<Buffer>`${users.dataKey}`, keyVersion: sql<number>`${users.keyVersion}` },
    })
    .from(kycRecords)
    .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
    .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)))
    .for("no key update", { of: users });
  if (!user) throw new Failure("KYC_RECORD_NOT_FOUND");
  if (user.erasureRequested) throw new Failure("USER_ERASURE_PENDING", { kycRecordId });
  await lockRecordOf(tx, platformId, kycRecordId);
  return user;
}

/** @throws Failure DOCUMENT_REQUEST_CONFLICT for a request that cannot be answered; INVALID_INPUT for a wrong type. */
function requireAnswerable(
  {
    documentRequestId,
    status,
    accepts,
  }: Pick<DocumentRequestState, "documentRequestId" | "status" | "accepts">,
  files: readonly { documentType: string }[],
): void {
  const conflict = (rule: string, message: string) =>
    new Failure("DOCUMENT_REQUEST_CONFLICT", {
      subject: documentRequestId,
      violations: [{ path: [], rule, message }],
    });
  if (status === "answered")
    throw conflict(
      "request-answered",
      "The request has other files. It opens again if the provider refuses them.",
    );
  if (status === "closed")
    throw conflict("request-closed", "The provider needs no more documents for this request.");
  if (!accepts.some((type) => purposeOfDocument(type)))
    throw conflict("request-needs-operator", "No file answers this request.");
  const violations = files.flatMap<Violation>(({ documentType }, index) =>
    accepts.includes(documentType)
      ? []
      : [
          {
            path: ["files", index, "documentType"],
            rule: "document-type",
            message: `The request accepts: ${accepts.join(", ")}.`,
          },
        ],
  );
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
}

/** The record's next attempt sends the answer. A running attempt schedules the next one at its end. */
function makeDue(tx: Tx, platformId: string, kycRecordId: string): Promise<unknown> {
  return tx
    .update(kycRecords)
    .set({ dueAt: sql`least(${kycRecords.dueAt}, greatest(${kycRecords.leaseUntil}, clock_timestamp()))` })
    .where(
      and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId), isNotNull(kycRecords.dueAt)),
    )
    .execute();
}
