import type { RecordSubmission } from "@cardbridge/domain";
import { exampleSubmission } from "../kyc/example.ts";

const {
  frontImageUrl: _front,
  selfieImageUrl: _selfie,
  supportingDocuments: _documents,
  ...fields
} = exampleSubmission.input;

export const exampleFileId = "file_01jexample0000000000000000";

export const exampleOpened: RecordSubmission = {
  kycRecordId: "kyc_01jexample0000000000000000",
  platformId: "plt_01jexample0000000000000000",
  openingId: "open_01jexample0000000000000000",
  auditId: "4711",
  openedAt: "2026-01-31T12:40:00.000Z",
  expiresAt: "2026-01-31T12:55:00.000Z",
  version: "1",
  evidenceHash: "0".repeat(64),
  submission: fields as RecordSubmission["submission"],
  files: [
    {
      field: "frontImageUrl",
      documentType: null,
      fileId: exampleFileId,
      host: null,
      contentType: "image/jpeg",
      sha256: "1".repeat(64),
    },
    {
      field: "selfieImageUrl",
      documentType: null,
      fileId: null,
      host: "files.example.com",
      contentType: null,
      sha256: null,
    },
  ],
};
