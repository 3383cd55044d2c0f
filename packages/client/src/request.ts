import type { CallOptions, Fetch } from "./options.ts";
import { readResponse } from "./read-response.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import type { Runtime } from "./runtime.ts";

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

function queryString(query: object): string {
  const text = new URLSearchParams(
    Object.entries(defined(query)).map(([name, value]) => [name, String(value)]),
  );
  return text.size === 0 ? "" : `?${text}`;
}

function defined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
}
