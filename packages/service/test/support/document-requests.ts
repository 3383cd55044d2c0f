import type { ProviderDocumentRequest } from "@cardbridge/domain";

/** A request of the provider for a bank statement. */
export const aRequestForDocument = (
  changes: Partial<ProviderDocumentRequest> = {},
): ProviderDocumentRequest => ({
  id: "req_1",
  documentType: "BANK_STATEMENT",
  accepts: ["BANK_STATEMENT", "UTILITY_BILL"],
  reason: "SUPPORTING_DOCUMENT_OUTDATED",
  requestedAt: "2026-01-31T12:00:00.000Z",
  dueAt: "2026-02-14T12:00:00.000Z",
  status: "open",
  revision: 1,
  ...changes,
});
