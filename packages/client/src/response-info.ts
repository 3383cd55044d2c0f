/** Information from the headers of a response. */
export interface ResponseInfo {
  /** The id of the request. Include it in support requests. */
  requestId: string | undefined;
  /** Whether the response repeats the response to an equal submission. */
  replayed: boolean;
  /** The Retry-After of the response, in milliseconds. */
  retryAfterMs: number | undefined;
}

const infos = new WeakMap<object, ResponseInfo>();

/** Returns the information from the response headers of a call's result; undefined for any other object. */
export function responseInfo(result: object): ResponseInfo | undefined {
  return infos.get(result);
}

/** Stores the information for a result, for the lifetime of the result. */
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

/** Seconds, or a date (RFC 9110, section 10.2.3). A difference between the two clocks is acceptable. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null || value === "") return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
