import { type CardbridgeError, ProblemError, ResponseError } from "./errors.ts";
import type { CallOptions, Fetch } from "./options.ts";
import { infoOf, noteResponse } from "./response-info.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import { isRetryable } from "./retryable.ts";
import type { Runtime } from "./runtime.ts";
import type { Problem } from "./types.ts";

/** The maximum length of a response in bytes. The longest response of cardbridge is far below it. */
const maxBytes = 16 * 1024 * 1024;

/** A call of the service, before it is sent. */
interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /openapi/v1. */
  path: string;
  /** Undefined fields are omitted. */
  query?: object;
  headers?: Record<string, string>;
  /** Creates the body of each attempt. */
  body?: MakeBody;
}

/** Creates the body of one attempt for fetch, and its headers. */
export type MakeBody = () => { init: RequestInit; headers?: Record<string, string> };

/** Sends a request until it has a result. @throws CardbridgeError */
export type Send = <T extends object>(call: Call, options?: SendOptions) => Promise<T>;

interface SendOptions extends CallOptions {
  attemptTimeoutMs?: number;
  /** 0 for a call that must not be repeated. */
  maxRetries?: number;
}

interface Settings extends RetryOptions {
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  runtime: Runtime;
}

/** Creates the function that sends the calls of all operations. */
export function createSend({ baseUrl, apiKey, fetch, runtime, ...defaults }: Settings): Send {
  return ({ method, path, query = {}, headers = {}, body = noBody }, options = {}) => {
    const url = `${baseUrl}/openapi/v1${path}${queryString(query)}`;
    return withRetries(
      async (signal) => {
        const { init, headers: ofBody } = body();
        const all = { accept: "application/json", authorization: `Bearer ${apiKey}`, ...headers, ...ofBody };
        // A redirect is not followed, because it could send the data to another host.
        return readResponse(await fetch(url, { ...init, method, headers: all, signal, redirect: "manual" }));
      },
      { ...defaults, ...(defined(options) as Partial<RetryOptions>) },
      runtime,
    );
  };
}

const noBody: MakeBody = () => ({ init: {} });

/** A JSON body. It is serialized once, so that every attempt sends the same bytes. */
export function jsonBody(value: object): MakeBody {
  const body = JSON.stringify(value);
  return () => ({ init: { body }, headers: { "content-type": "application/json" } });
}

/** A segment of a path. @throws TypeError for text that would change the path. */
export function segment(name: string, value: string): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not an id.`);
  return encodeURIComponent(value);
}

/** An Idempotency-Key. @throws TypeError for text that is none. */
export function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new TypeError("An idempotencyKey must have 1 to 255 visible ASCII characters.");
}

function queryString(query: object): string {
  const text = new URLSearchParams(
    Object.entries(defined(query)).map(([name, value]) => [name, String(value)]),
  );
  return text.size === 0 ? "" : `?${text}`;
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/**
 * Reads a response to its end. Returns its result or its error.
 * @throws if the connection is lost before the end.
 */
async function readResponse<T extends object>(
  response: Response,
): Promise<{ result: T } | { error: CardbridgeError }> {
  const { status, headers } = response;
  const info = infoOf(headers);
  const body = parseObject(await readText(response));
  if (response.ok && body) return { result: noteResponse(body as T, info) };
  if (!response.ok && isProblem(body)) {
    const details = { ...info, retryable: isRetryable(status, body.code) };
    return { error: new ProblemError(body, details) };
  }
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "no content type";
  const message = `The response is not from cardbridge (${status}, ${type}): check the baseUrl and the proxies.`;
  return { error: new ResponseError(message, { ...info, retryable: isRetryable(status), status }) };
}

function parseObject(text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Checks only the fields that the client reads. The code may be unknown. */
function isProblem(body: object | undefined): body is Problem {
  if (body === undefined || !("code" in body) || !("message" in body)) return false;
  return typeof body.code === "string" && typeof body.message === "string";
}

/**
 * Reads a response to its end. Returns undefined for a longer one than the maximum, and ends its download.
 * @throws if the connection is lost before the end.
 */
async function readText(response: Response): Promise<string | undefined> {
  if (!response.body) return response.text();
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}
