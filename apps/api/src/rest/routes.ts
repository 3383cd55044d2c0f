import type { Code } from "@cardbridge/domain";
import type { Operation, Operations } from "../operations/index.ts";

export const basePath = "/openapi/v1";

export interface Route {
  method: "get" | "post";
  /** Below `basePath`; `{name}` stands for a field of the input. */
  path: string;
  operation: Operation;
  /** Where the input is read from. */
  reads: "query" | "json";
  /** Which code of the answer travels under which status; an answer without a code is 200. */
  statuses: Partial<Record<Code, 200 | 201 | 202>>;
  tag: string;
}

/** The REST side of every operation: the handlers and the OpenAPI document are made from this table. */
export function restRoutes({ cards, kyc }: Operations): Route[] {
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
  ];
}
