import type { Code } from "@cardbridge/domain";
import type { Operation, Operations } from "@cardbridge/operations";

export interface Route {
  method: "get" | "post";
  /** The path below `basePath`. `{name}` is a field of the input. */
  path: string;
  operation: Operation;
  /** The source of the input. */
  reads: "query" | "json" | "form";
  /** The HTTP status of each result code. */
  statuses: Partial<Record<Code, 200 | 201 | 202>>;
  /** The HTTP status of a result without a code. The default is 200. */
  status?: 201;
  /** With 202: the path that reads the record. `{name}` is a field of the result. */
  location?: string;
  tag: string;
}

/** The REST routes of the operations, for the handlers and the OpenAPI document. */
export function restRoutes({ cards, kyc, users, files }: Operations): Route[] {
  return [
    { method: "get", path: "/cards/list", operation: cards.list, reads: "query", statuses: {}, tag: "Cards" },
    {
      method: "get",
      path: "/cards/{cardId}",
      operation: cards.get,
      reads: "query",
      statuses: {},
      tag: "Cards",
    },
    {
      method: "post",
      path: "/users/kyc",
      operation: kyc.submit,
      reads: "json",
      statuses: { KYC_SUBMITTED: 200, KYC_ACCEPTED: 202 },
      location: "/users/kyc/{kycRecordId}",
      tag: "KYC",
    },
    { method: "get", path: "/users/kyc", operation: kyc.get, reads: "query", statuses: {}, tag: "KYC" },
    {
      method: "post",
      path: "/users/kyc/validate",
      operation: kyc.validate,
      reads: "json",
      statuses: {},
      tag: "KYC",
    },
    {
      method: "get",
      path: "/users/kyc/requirements",
      operation: kyc.requirements,
      reads: "query",
      statuses: {},
      tag: "KYC",
    },
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
      path: "/users/email",
      operation: users.changeEmail,
      reads: "json",
      statuses: {},
      tag: "Users",
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
