import * as z from "zod";
import type { FilePurpose } from "../files/file.ts";
import { moment } from "../input/formats.ts";
import { kycReasonCodes } from "./reasons.ts";
import { supportingDocument } from "./submission.ts";

const supportingTypes = supportingDocument.shape.documentType.options;

/** The document types that a file can answer, with the purpose of its upload. The provider may ask for other things. */
const purposes: Readonly<Record<string, FilePurpose>> = {
  ...Object.fromEntries(supportingTypes.map((type) => [type, "supporting_document"])),
  SELFIE: "selfie",
  DOCUMENT_FRONT: "document_front",
  DOCUMENT_BACK: "document_back",
};
export const answerTypes = Object.keys(purposes) as [string, ...string[]];

/** The purpose with which a file of this document type is uploaded; undefined for what is no file. */
export const purposeOfDocument = (documentType: string): FilePurpose | undefined =>
  Object.hasOwn(purposes, documentType) ? purposes[documentType] : undefined;

export const documentType = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/)
  .meta({
    description: "What the provider asks for. Tolerate unknown values.",
    examples: [...answerTypes],
    "x-known-values": [...answerTypes],
  });

/** The order of the statuses. A request never goes back, but when the provider refuses its answer. */
export const documentRequestStatuses = ["open", "answered", "closed"] as const;
export type DocumentRequestStatus = (typeof documentRequestStatuses)[number];

/** The maximum number of a record's requests. Further ones are refused: no provider asks so often. */
export const maxRequests = 20;

/** A request of the provider for one more document, as it reports it. */
export const providerDocumentRequest = z.object({
  /** The provider's id of the request, unique within the submission. */
  id: z.string().regex(/^[\x21-\x7e]{1,256}$/),
  documentType,
  /** The document types of the files that answer it. Empty: no file does, so a person has to act. */
  accepts: z.array(documentType).max(20),
  /** Why the provider asks; null if it does not say. */
  reason: z.enum(kycReasonCodes).nullable(),
  requestedAt: moment,
  dueAt: moment.nullable(),
  status: z.enum(documentRequestStatuses),
  /** The order of the provider's changes of this request. */
  revision: z.int(),
  /** The provider takes the answers to a submission's requests of an equal value in one call only. */
  together: z.string().nullish(),
});
export type ProviderDocumentRequest = z.output<typeof providerDocumentRequest>;
