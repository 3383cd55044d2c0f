import { TRPCClientError } from "@trpc/client";

/** What the headers of a response say. */
export interface ResponseInfo {
  /** The id of the request; name it when you ask for help. */
  requestId: string | undefined;
  /** Whether the response repeats that of an earlier submission. */
  replayed: boolean;
}

const infos = new WeakMap<object, ResponseInfo>();

/** What the headers said of a call's result, or of the error that it threw; undefined for anything else. */
export function responseInfo(resultOrError: unknown): ResponseInfo | undefined {
  if (resultOrError instanceof TRPCClientError) return infoOf(resultOrError.meta?.response);
  return typeof resultOrError === "object" && resultOrError !== null ? infos.get(resultOrError) : undefined;
}

/** Keeps what the response's headers say of a result, for as long as the result is in use. */
export function noteResponse(result: unknown, response: unknown): void {
  const info = infoOf(response);
  if (typeof result === "object" && result !== null && info) infos.set(result, info);
}

function infoOf(response: unknown): ResponseInfo | undefined {
  // No check of its class: some servers replace the global Response with their own.
  if (typeof response !== "object" || response === null || !("headers" in response)) return undefined;
  const { headers } = response;
  if (!(headers instanceof Headers)) return undefined;
  return {
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
