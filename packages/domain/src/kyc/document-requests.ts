import * as z from "zod";
import { filePurpose } from "../files/file.ts";
import { fileUrl, moment } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { isRecord } from "../input/is-record.ts";
import { extensibleEnum } from "../input/open-enum.ts";
import type { FileBody } from "./file-origins.ts";
import {
  answerTypes,
  type DocumentRequestStatus,
  documentRequestStatuses,
  documentType,
  type ProviderDocumentRequest,
  purposeOfDocument,
} from "./provider-request.ts";
import { kycReasonCodes, reasonMessages } from "./reasons.ts";
import { isFinal, type KycState } from "./record.ts";
import { kycRecordId } from "./record-id.ts";

const documentRequestId = z
  .stringFormat("document-request-id", idPattern(64))
  .meta({ description: "The documentRequestId of the record's requests." });

/** A request as it is stored, without the ids of its record. */
export interface DocumentRequestState extends Omit<ProviderDocumentRequest, "id"> {
  documentRequestId: string;
  /** When the platform answered it; null before. */
  answeredAt: string | null;
  /** When the provider had the answer; null before. */
  sentAt: string | null;
}

/**
 * Returns a request after the provider's report; the same object if the report changes nothing. A report arrives
 * repeatedly, late and in any order: only a higher revision changes what is asked, and the status never goes back. A
 * record with a final decision closes its requests (gap G43).
 *
 * @param known null for a new request
 * @param now the database's clock; RFC 3339
 */
export function applyDocumentRequest(
  known: DocumentRequestState | null,
  { id: _, ...report }: ProviderDocumentRequest,
  {
    documentRequestId,
    state,
    now,
  }: { documentRequestId: string; state: Pick<KycState, "resolution" | "status">; now: string },
): DocumentRequestState {
  const before: DocumentRequestState = known ?? {
    ...report,
    documentRequestId,
    answeredAt: null,
    sentAt: null,
  };
  const isNewer = report.revision > before.revision;
  const status = isFinal(state) ? "closed" : furthest(before.status, report.status);
  const isAnswered = report.status === "answered" || before.sentAt !== null;
  const after: DocumentRequestState = {
    ...before,
    ...(isNewer && report),
    status,
    // Somebody may answer at the provider itself.
    answeredAt: before.answeredAt ?? (report.status === "answered" ? now : null),
    sentAt: before.sentAt ?? (isAnswered ? now : null),
  };
  if (known === null) return after;
  return JSON.stringify(after) === JSON.stringify(known) ? known : after;
}

function furthest(one: DocumentRequestStatus, other: DocumentRequestStatus): DocumentRequestStatus {
  const rank = (status: DocumentRequestStatus) => documentRequestStatuses.indexOf(status);
  return rank(one) >= rank(other) ? one : other;
}

/** A request of the provider, as callers see it (an extension, gap G43). */
export const documentRequest = z
  .object({
    documentRequestId,
    documentType,
    accepts: z
      .array(
        z.object({
          documentType,
          filePurpose: filePurpose.meta({ description: "The purpose with which to upload the file." }),
        }),
      )
      .meta({
        description:
          "The files that answer the request. Empty: no file does, and an operator of the service has to act.",
      }),
    reason: z
      .object({
        code: extensibleEnum(kycReasonCodes).meta({ description: "The reason. Tolerate new values." }),
        message: z.string().meta({ description: "What to send." }),
      })
      .nullable()
      .meta({ description: "Why the provider asks; null if it does not say." }),
    requestedAt: moment.meta({ description: "When the provider asked; RFC 3339, in UTC." }),
    dueAt: moment.nullable().meta({ description: "Until when the provider waits; null without a limit." }),
    status: extensibleEnum(documentRequestStatuses).meta({
      description:
        "open: answer it. answered: the files are stored, and the service sends them. closed: the provider decided, or " +
        "withdrew the request.",
    }),
    answeredAt: moment.nullable().meta({ description: "When it was answered; null before." }),
    sentAt: moment.nullable().meta({ description: "When the provider had the answer; null before." }),
  })
  .meta({ id: "DocumentRequest" });
export type DocumentRequest = z.output<typeof documentRequest>;

/** Converts a stored request into the one that callers see. */
export function toDocumentRequest(state: DocumentRequestState): DocumentRequest {
  const { reason, accepts, revision: _, together: __, ...request } = state;
  return {
    ...request,
    accepts: accepts.flatMap((type) => {
      const purpose = purposeOfDocument(type);
      return purpose ? [{ documentType: type, filePurpose: purpose }] : [];
    }),
    reason: reason && { code: reason, message: reasonMessages[reason] },
  };
}

const isAnswerFile = (file: unknown) => isRecord(file) && typeof file.fileUrl === "string";

/** The files of an answer, for the rules of file URLs. A file of an unknown type has another violation. */
export const answerBody: FileBody = {
  filesOf: ({ files }) =>
    (Array.isArray(files) ? files : []).flatMap((file: AnswerFile, index) => {
      const purpose = isAnswerFile(file) ? purposeOfDocument(String(file.documentType)) : undefined;
      return purpose ? [{ url: file.fileUrl, purpose, path: ["files", index, "fileUrl"] }] : [];
    }),
  schemaOf: (url) => ({
    properties: { files: { items: { properties: { documentType: {}, fileUrl: url } } } },
  }),
};

/** The provider's requests, in every reading of a record. */
export const requestsField = {
  requests: z.array(documentRequest).meta({
    description: "The further documents that the provider asks for, oldest first; empty if it asks for none.",
  }),
};

/** The answer to a request: the uploaded files. */
export const documentRequestAnswer = z
  .object({
    kycRecordId,
    documentRequestId,
    files: z
      .array(
        z.object({
          documentType: z.enum(answerTypes).meta({
            description: "One of the types that the request accepts.",
          }),
          fileUrl: fileUrl.meta({ description: "URL of the uploaded file." }),
        }),
      )
      .min(1)
      .max(10)
      .meta({ description: "1 to 10 files." }),
  })
  .meta({ id: "DocumentRequestAnswer" });
type DocumentRequestAnswer = z.output<typeof documentRequestAnswer>;
export type AnswerFile = DocumentRequestAnswer["files"][number];
