import type { Code } from "@cardbridge/domain";
import type { Operation, Operations } from "@cardbridge/operations";

export interface Route {
  method: "get" | "post";
  /** Below `basePath`; `{name}` stands for a field of the input. */
  path: string;
  operation: Operation;
  /** Where the input is read from. */
  reads: "query" | "json" | "form";
  /** Which code of the answer travels under which status. */
  statuses: Partial<Record<Code, 200 | 201 | 202>>;
  /** The status of an answer without a code; 200 when absent. */
  status?: 201;
  tag: string;
}

/** The REST side of every operation: the handlers and the OpenAPI document are made from this table. */
export function restRoutes({ cards, kyc, files }: Operations): Route[] {
  return [
    { method: "get", path: "/cards/list", operation: cards.list, reads: "query", statuses: {}, tag: "Cards" },
    {
      method: "post",
      path: "/users/kyc",
      operation: kyc.submit,
      reads: "json",
      statuses: { KYC_SUBMITTED: 200, KYC_ACCEPTED: 202 },
      tag: "KYC",
    },
    { method: "get", path: "/users/kyc", operation: kyc.get, reads: "query", statuses: {}, tag: "KYC" },
    {
      method: "get",
      path: "/users/kyc/{kycRecordId}",
      operation: kyc.history,
      reads: "query",
      statuses: {},
      tag: "KYC",
    },
    {
      method: "post",
      path: "/files",
      operation: files.upload,
      reads: "form",
      statuses: {},
      status: 201,
      tag: "Files",
    },
  ];
}
