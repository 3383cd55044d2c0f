import { type DocumentRequest, reasonMessages } from "@cardbridge/domain";

/** An open request for a bank statement. */
export const exampleRequest: DocumentRequest = {
  documentRequestId: "dreq_01jexample0000000000000000",
  documentType: "BANK_STATEMENT",
  accepts: [{ documentType: "BANK_STATEMENT", filePurpose: "supporting_document" }],
  reason: { code: "SUPPORTING_DOCUMENT_OUTDATED", message: reasonMessages.SUPPORTING_DOCUMENT_OUTDATED },
  requestedAt: "2026-01-31T12:00:00.000Z",
  dueAt: "2026-02-14T12:00:00.000Z",
  status: "open",
  answeredAt: null,
  sentAt: null,
};
