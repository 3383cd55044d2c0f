import { TRPCClientError } from "@trpc/client";

/** Information from the headers of a response. */
export interface ResponseInfo {
  /** The id of the request. Include it in support requests. */
  requestId: string | undefined;
  /** Whether the response repeats the response to an earlier submission. */
  replayed: boolean;
}

const infos = new WeakMap<object, ResponseInfo>();

/** Returns the information from the headers for a call's result or error; undefined for any other value. */
export function responseInfo(resultOrError: unknown): ResponseInfo | undefined {
  if (resultOrError instanceof TRPCClientError) return infoOf(resultOrError.meta?.response);
  return typeof resultOrError === "object" && resultOrError !== null ? infos.get(resultOrError) : undefined;
}

/** Stores the information for a result, for the lifetime of the result. */
export function noteResponse(result: unknown, response: unknown): void {
  const info = infoOf(response);
  if (typeof result === "object" && result !== null && info) infos.set(result, info);
}

function infoOf(response: unknown): ResponseInfo | undefined {
  // Not instanceof Response, because some servers replace the global class.
  if (typeof response !== "object" || response === null || !("headers" in response)) return undefined;
  const { headers } = response;
  if (!(headers instanceof Headers)) return undefined;
  return {
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
