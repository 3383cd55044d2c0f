import { platformHeader } from "@cardbridge/domain";
import { createTRPCClient, httpBatchLink, httpLink, splitLink, TRPCClientError } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { explainFetch } from "./client/explain-fetch.ts";
import { noteResponses } from "./client/response-info.ts";
import { maxCallsOfBatch, maxTargetLength } from "./server/limits.ts";
import type { Problem } from "./errors/problem.ts";
import type { AppRouter } from "./trpc/router.ts";

export type { Card, KycResult } from "@cardbridge/domain";
export { type ResponseInfo, responseInfo } from "./client/response-info.ts";
export type { Problem } from "./errors/problem.ts";
export type { AppRouter } from "./trpc/router.ts";
/** What each procedure takes, such as `RouterInputs["cards"]["list"]`. */
export type RouterInputs = inferRouterInputs<AppRouter>;
/** What each procedure answers, such as `RouterOutputs["cards"]["list"]`. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

/**
 * The typed client for internal TypeScript apps. Queries that are asked at the same time travel in one request;
 * each mutation travels alone, and takes its Idempotency-Key in `{ context: { idempotencyKey } }`.
 *
 * @param options.url where cardbridge runs, such as `http://127.0.0.1:3000`
 * @param options.apiKey the app's API key; keep it on a server
 * @param options.platform the id of the platform that the calls are for, where the key is a `cb_int_` one
 */
export function createClient({ url, apiKey, platform }: ClientOptions) {
  if (!URL.canParse(url))
    throw new TypeError("The url is the address of cardbridge, such as http://127.0.0.1:3000.");
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(platform === undefined ? {} : { [platformHeader]: platform }),
  };
  const server = { url: `${url.replace(/\/$/, "")}/trpc`, fetch: explainFetch };
  return createTRPCClient<AppRouter>({
    links: [
      noteResponses,
      splitLink({
        condition: ({ type }) => type === "query",
        // Half of what the server takes: a proxy may know it under a longer name.
        true: httpBatchLink({
          ...server,
          headers,
          maxItems: maxCallsOfBatch,
          maxURLLength: maxTargetLength / 2,
        }),
        false: httpLink({ ...server, headers: ({ op }) => ({ ...headers, ...keyHeader(op.context) }) }),
      }),
    ],
  });
}

interface ClientOptions {
  url: string;
  apiKey: string;
  platform?: string | undefined;
}

function keyHeader({ idempotencyKey }: Record<string, unknown>): Record<string, string> {
  if (idempotencyKey === undefined) return {};
  if (typeof idempotencyKey !== "string") throw new TypeError("An idempotencyKey is a string.");
  return { "idempotency-key": idempotencyKey };
}

/** The problem that cardbridge answered with; undefined when the error came from elsewhere, such as the network. */
export function problemOf(error: unknown): Problem | undefined {
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.problem : undefined;
}
