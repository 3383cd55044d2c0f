import { fieldOf } from "./problem-of.ts";

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
  if (typeof resultOrError !== "object" || resultOrError === null) return undefined;
  return infos.get(resultOrError) ?? infoOf(fieldOf(fieldOf(resultOrError, "meta"), "response"));
}

/** Stores the information for a result, for the lifetime of the result. */
export function noteResponse(result: unknown, response: unknown): void {
  const info = infoOf(response);
  if (typeof result === "object" && result !== null && info) infos.set(result, info);
}

function infoOf(response: unknown): ResponseInfo | undefined {
  // Not instanceof, because some servers replace the global classes.
  const headers = fieldOf(response, "headers") as Partial<Headers> | undefined;
  if (typeof headers?.get !== "function") return undefined;
  return {
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
