import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { EventSource } from "eventsource";
import type { AppRouter } from "./app-router.ts";
import type { Client } from "./client.ts";
import { explainFetch } from "./explain-fetch.ts";
import { noteResponses } from "./note-responses.ts";
import { streamFetch } from "./stream-fetch.ts";

/** The maximum number of calls in one request. */
const maxCallsOfBatch = 20;
/** Half of the service's limit, because a proxy may add to the path. */
const maxUrlLength = 4_096;

/**
 * Creates the typed client for internal TypeScript apps. Queries that start in the same tick share one request. Each
 * mutation has its own request, and its Idempotency-Key in `{ context: { idempotencyKey } }`. A subscription reconnects
 * and continues after the last event.
 *
 * @throws TypeError if the url is not an absolute http URL, or the apiKey or the platform cannot be one
 */
export function createClient({ url, apiKey, platform }: ClientOptions): Client {
  // Otherwise fetch's own error would contain the key.
  if (!isHeaderWord(apiKey)) throw new TypeError("The apiKey is not an API key.");
  if (platform !== undefined && !isHeaderWord(platform))
    throw new TypeError("The platform is not a platform's id.");
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(platform === undefined ? {} : { "X-Cardbridge-Platform": platform }),
  };
  const server = { url: `${addressOf(url)}/trpc`, fetch: explainFetch };
  return createTRPCClient<AppRouter>({
    links: [
      noteResponses,
      splitLink({
        condition: ({ type }) => type === "query",
        true: httpBatchLink({ ...server, headers, maxItems: maxCallsOfBatch, maxURLLength: maxUrlLength }),
        false: splitLink({
          condition: ({ type }) => type === "subscription",
          true: httpSubscriptionLink({
            url: server.url,
            EventSource,
            eventSourceOptions: { fetch: streamFetch(headers) },
          }),
          false: httpLink({ ...server, headers: ({ op }) => ({ ...headers, ...keyHeader(op.context) }) }),
        }),
      }),
    ],
  });
}

/** The address without a trailing slash. */
function addressOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain =
    url && ["http:", "https:"].includes(url.protocol) && !url.username && !url.search && !url.hash;
  if (!isPlain) throw new TypeError("Pass the address of cardbridge as url, such as http://127.0.0.1:3000.");
  return url.href.endsWith("/") ? url.href.slice(0, -1) : url.href;
}

const isHeaderWord = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

export interface ClientOptions {
  /** The address of cardbridge, such as `http://127.0.0.1:3000`. */
  url: string;
  /** The app's API key; keep it on a server. */
  apiKey: string;
  /** The id of the platform that the calls act for. Only for keys of internal apps (`cb_int_`). */
  platform?: string | undefined;
}

function keyHeader({ idempotencyKey }: Record<string, unknown>): Record<string, string> {
  if (idempotencyKey === undefined) return {};
  if (typeof idempotencyKey !== "string") throw new TypeError("The idempotencyKey must be a string.");
  return { "idempotency-key": idempotencyKey };
}
