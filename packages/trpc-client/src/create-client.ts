import { createTRPCClient, httpBatchLink, httpLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import { EventSource } from "eventsource";
import type { AppRouter } from "./app-router.ts";
import type { Client } from "./client.ts";
import { explainFetch } from "./explain-fetch.ts";
import { noteResponses } from "./note-responses.ts";
import { streamFetch } from "./stream-fetch.ts";

/** How many calls the service takes in one request. */
const maxCallsOfBatch = 20;
/** Half of the request target that the service takes: a proxy may know the service under a longer path. */
const maxUrlLength = 4_096;

/**
 * The typed client for internal TypeScript apps. Queries that start at the same time travel in one request; each
 * mutation travels alone, and takes its Idempotency-Key in `{ context: { idempotencyKey } }`. A subscription reconnects and
 * continues behind the last event.
 *
 * @throws TypeError when the url is not an absolute URL
 */
export function createClient({ url, apiKey, platform }: ClientOptions): Client {
  if (!URL.canParse(url))
    throw new TypeError("The url is the address of cardbridge, such as http://127.0.0.1:3000.");
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(platform === undefined ? {} : { "X-Cardbridge-Platform": platform }),
  };
  const server = { url: `${url.replace(/\/$/, "")}/trpc`, fetch: explainFetch };
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

export interface ClientOptions {
  /** Where cardbridge runs, such as `http://127.0.0.1:3000`. */
  url: string;
  /** The app's API key; keep it on a server. */
  apiKey: string;
  /** The id of the platform that the calls are for, where the key is a `cb_int_` one. */
  platform?: string | undefined;
}

function keyHeader({ idempotencyKey }: Record<string, unknown>): Record<string, string> {
  if (idempotencyKey === undefined) return {};
  if (typeof idempotencyKey !== "string") throw new TypeError("An idempotencyKey is a string.");
  return { "idempotency-key": idempotencyKey };
}
