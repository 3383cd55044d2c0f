/** What the headers of a response say. */
export interface ResponseInfo {
  /** The id of the request. Include it in support requests. */
  requestId: string | undefined;
  /** Whether the response repeats that of an equal submission. */
  replayed: boolean;
  /** The delay that the response asks for, in milliseconds. */
  retryAfterMs: number | undefined;
}

const infos = new WeakMap<object, ResponseInfo>();

/** What the response's headers said of a call's result; undefined for anything else. */
export function responseInfo(result: object): ResponseInfo | undefined {
  return infos.get(result);
}

/** Keeps what the headers say of a result for as long as the result is in use. */
export function noteResponse<T extends object>(result: T, info: ResponseInfo): T {
  infos.set(result, info);
  return result;
}

export function infoOf(headers: Headers): ResponseInfo {
  return {
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
    retryAfterMs: parseRetryAfter(headers.get("retry-after")),
  };
}

/** Seconds, or a date (RFC 9110, section 10.2.3). The dates of two machines compare badly, but well enough here. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null || value === "") return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
