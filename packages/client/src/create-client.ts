import { type Cards, createCards } from "./cards.ts";
import { createFiles, type Files } from "./files.ts";
import { createKyc, type Kyc } from "./kyc.ts";
import type { Fetch } from "./options.ts";
import { createSend } from "./request.ts";
import { defaultRuntime, type Runtime } from "./runtime.ts";
import { createUsers, type Users } from "./users.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

/** The operations of cardbridge for platforms. */
export interface Client {
  cards: Cards;
  kyc: Kyc;
  files: Files;
  users: Users;
  webhooks: Webhooks;
}

export interface ClientOptions {
  /** Where cardbridge runs, such as `https://cards.example.com`. */
  baseUrl: string;
  /** The platform's API key; keep it on a server. */
  apiKey: string;
  /** The time for a call with all its retries, in milliseconds. The default is a minute; for uploads, five. */
  timeoutMs?: number | undefined;
  /** The time for one request and its response, in milliseconds. The default is 20 seconds; for uploads, 120. */
  attemptTimeoutMs?: number | undefined;
  /** How often a call is sent again. The default is 5. */
  maxRetries?: number | undefined;
  /** Replaces the global fetch. */
  fetch?: Fetch | undefined;
  /** Replaces the clock, the timers and the random numbers. */
  runtime?: Runtime | undefined;
}

/**
 * Creates the client of cardbridge for platforms.
 * @throws TypeError if the baseUrl is not an absolute http URL, or the apiKey cannot be one.
 */
export function createClient({
  baseUrl,
  apiKey,
  timeoutMs = 60_000,
  attemptTimeoutMs = 20_000,
  maxRetries = 5,
  // Some runtimes require that fetch is called as a function of nothing.
  fetch = (url, init) => globalThis.fetch(url, init),
  runtime = defaultRuntime,
}: ClientOptions): Client {
  // fetch would quote a key with a line break in its error.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError("The apiKey is not an API key.");
  const send = createSend({
    baseUrl: addressOf(baseUrl),
    apiKey,
    fetch,
    runtime,
    timeoutMs,
    attemptTimeoutMs,
    maxRetries,
  });
  return {
    cards: createCards(send),
    kyc: createKyc(send, runtime),
    files: createFiles(send),
    users: createUsers(send),
    webhooks: createWebhooks(send),
  };
}

/** The address without a slash at its end. */
function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain =
    url && ["http:", "https:"].includes(url.protocol) && !url.username && !url.search && !url.hash;
  if (!isPlain) {
    throw new TypeError("The baseUrl is the address of cardbridge, such as https://cards.example.com.");
  }
  return url.href.endsWith("/") ? url.href.slice(0, -1) : url.href;
}
