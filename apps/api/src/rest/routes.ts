import type { Code } from "@cardbridge/domain";
import type { Operation, Operations } from "@cardbridge/operations";

export interface Route {
  method: "get" | "post" | "patch" | "delete";
  /** The path below `basePath`. `{name}` is a field of the input. */
  path: string;
  operation: Operation;
  /** The source of the input, besides the path: `query` reads no body. */
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
export function restRoutes({ cards, kyc, users, files, webhooks }: Operations): Route[] {
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
    {
      method: "post",
      path: "/webhooks",
      operation: webhooks.create,
      reads: "json",
      statuses: {},
      status: 201,
      tag: "Webhooks",
    },
    {
      method: "get",
      path: "/webhooks",
      operation: webhooks.list,
      reads: "query",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "get",
      path: "/webhooks/{endpointId}",
      operation: webhooks.get,
      reads: "query",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "patch",
      path: "/webhooks/{endpointId}",
      operation: webhooks.update,
      reads: "json",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "delete",
      path: "/webhooks/{endpointId}",
      operation: webhooks.delete,
      reads: "query",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "post",
      path: "/webhooks/{endpointId}/rotate-secret",
      operation: webhooks.rotateSecret,
      reads: "json",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "post",
      path: "/webhooks/{endpointId}/test",
      operation: webhooks.test,
      reads: "query",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "post",
      path: "/webhooks/{endpointId}/redeliver",
      operation: webhooks.redeliverFailed,
      reads: "json",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "get",
      path: "/webhooks/{endpointId}/deliveries",
      operation: webhooks.deliveries,
      reads: "query",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "get",
      path: "/webhooks/{endpointId}/deliveries/{deliveryId}",
      operation: webhooks.delivery,
      reads: "query",
      statuses: {},
      tag: "Webhooks",
    },
    {
      method: "post",
      path: "/webhooks/{endpointId}/deliveries/{deliveryId}/redeliver",
      operation: webhooks.redeliver,
      reads: "query",
      statuses: {},
      tag: "Webhooks",
    },
  ];
}

/** The names in a path: `{name}`. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
