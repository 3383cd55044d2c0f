import { type Cards, createCards } from "./cards.ts";
import { createFiles, type Files } from "./files.ts";
import { createKyc, type Kyc } from "./kyc.ts";
import type { Fetch } from "./options.ts";
import { createSend } from "./request.ts";
import { defaultRuntime, type Runtime } from "./runtime.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { createUsers, type Users } from "./users.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

/** The operations of cardbridge for platforms. */
export interface Client {
  cards: Cards;
  kyc: Kyc;
  files: Files;
  users: Users;
  webhooks: Webhooks;
  sandbox: Sandbox;
}

export interface ClientOptions {
  /** The address of cardbridge, such as `https://cards.example.com`. */
  baseUrl: string;
  /** The platform's API key; keep it on a server. */
  apiKey: string;
  /** The time limit of a call with all its retries, in milliseconds. The default is one minute; for uploads, five. */
  timeoutMs?: number | undefined;
  /** The time limit of one request and its response, in milliseconds. The default is 20 s; for uploads, 120 s. */
  attemptTimeoutMs?: number | undefined;
  /** The maximum number of retries of a call. The default is 5. */
  maxRetries?: number | undefined;
  /** Replaces the global fetch. */
  fetch?: Fetch | undefined;
  /** Replaces the clock, the timers and the random numbers. */
  runtime?: Runtime | undefined;
}

const clientDefaults = { timeoutMs: 60_000, attemptTimeoutMs: 20_000, maxRetries: 5 };

/**
 * Creates the client of cardbridge for platforms.
 * @throws TypeError if the baseUrl is not an absolute http URL, or the apiKey cannot be an API key.
 */
export function createClient({
  baseUrl,
  apiKey,
  timeoutMs = clientDefaults.timeoutMs,
  attemptTimeoutMs = clientDefaults.attemptTimeoutMs,
  maxRetries = clientDefaults.maxRetries,
  // Some runtimes reject a fetch that is called as a method.
  fetch = (url, init) => globalThis.fetch(url, init),
  runtime = defaultRuntime,
}: ClientOptions): Client {
  // The error of fetch would contain a key with a line break.
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
    sandbox: createSandbox(send),
  };
}

/** The address without a trailing slash. */
function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain =
    url && ["http:", "https:"].includes(url.protocol) && !url.username && !url.search && !url.hash;
  if (!isPlain) {
    throw new TypeError("Pass the address of cardbridge as baseUrl, such as https://cards.example.com.");
  }
  return url.href.endsWith("/") ? url.href.slice(0, -1) : url.href;
}
