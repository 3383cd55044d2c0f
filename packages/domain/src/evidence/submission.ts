import * as z from "zod";
import { evidencePurpose } from "../audit/purpose.ts";
import { fileId, fileTypes } from "../files/file.ts";
import { moment, sha256 } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { documentRequest } from "../kyc/document-requests.ts";
import { maxRequests } from "../kyc/provider-request.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { type KycSubmission, kycSubmission } from "../kyc/submission.ts";
import { withoutFiles } from "../kyc/submission-files.ts";
import { platformId } from "../platforms/platform.ts";

const openingId = z
  .stringFormat("opening-id", idPattern(80))
  .meta({ description: "The id of an opening of a record's evidence, such as open_…." });

export const recordSubmissionQuery = z.object({ kycRecordId, purpose: evidencePurpose });

/** A file of a submission or of an answer, for operators. A file at another host is named by its host alone. */
export const evidenceFile = z.object({
  field: z.string().meta({
    description:
      "The field of the submission, such as frontImageUrl; of the answer to a request, requests/<documentRequestId>/0.",
  }),
  documentType: documentRequest.shape.documentType.nullable().meta({
    description: "The type of a supporting document, or of the answer to a request; null for the others.",
  }),
  fileId: z.string().nullable().meta({ description: "Null for a file at another host." }),
  host: z.string().nullable().meta({ description: "The other host. The service does not fetch from it." }),
  contentType: z
    .enum(fileTypes)
    .nullable()
    .meta({ description: "Null if the service does not have the file." }),
  sha256: sha256.nullable().meta({ description: "The hash of the stored bytes; null without them." }),
});
export type EvidenceFile = z.output<typeof evidenceFile>;

/** A stored value is parsed, so nothing transforms it. */
function withoutTransform(field: z.core.$ZodType): z.core.$ZodType {
  if (field instanceof z.ZodPipe) return field.in;
  const inner = field instanceof z.ZodOptional ? field.unwrap() : undefined;
  return inner instanceof z.ZodPipe ? z.optional(inner.in) : field;
}

/** The fields of a submission that are no files, as they are stored. */
const fields = z.object(
  Object.fromEntries(
    Object.entries(withoutFiles(kycSubmission.shape)).map(([name, field]) => [name, withoutTransform(field)]),
  ),
) as unknown as z.ZodType<ReturnType<typeof withoutFiles<KycSubmission>>>;

/** What a person submitted, opened for a purpose. */
export const recordSubmission = z
  .object({
    kycRecordId,
    platformId,
    openingId,
    auditId: z.string().meta({ description: "The id of the audit entry. It is on each picture." }),
    openedAt: moment,
    expiresAt: moment.meta({ description: "Until when the opening shows the files." }),
    version: z.string().meta({ description: "The version of the record that was opened." }),
    evidenceHash: sha256.meta({
      description:
        "The SHA-256 over the record's id, the fingerprint of its fields and the hashes of its files. A decision that names " +
        "it is refused if the evidence is another one.",
    }),
    submission: fields.nullable().meta({ description: "Null after the user is erased." }),
    files: z.array(evidenceFile).max(13 + maxRequests * 10),
  })
  .meta({ id: "RecordSubmission" });
export type RecordSubmission = z.output<typeof recordSubmission>;

/** The most pages of a file that can be shown. */
export const shownPages = 10;

export const submissionFileQuery = z.object({
  kycRecordId,
  openingId,
  fileId,
  page: z
    .int()
    .min(1)
    .max(shownPages)
    .default(1)
    .meta({ description: `The page of a PDF, at most ${shownPages}.` }),
});

/** One page of a file as a picture with a watermark. */
export const submissionFile = z
  .object({
    fileId: z.string(),
    page: z.int(),
    pages: z.int().meta({
      description: `The number of pages that can be shown: 1 for a picture, at most ${shownPages}.`,
    }),
    allPages: z.int().meta({ description: "The number of pages of the file." }),
    width: z.int(),
    height: z.int(),
    image: z.string().meta({
      description:
        "A WebP picture in base64, at most 2,048 pixels wide and high, tiled with the person's name, the time and the audit id.",
    }),
  })
  .meta({ id: "SubmissionFile" });
