import type { AppRouter } from "@cardbridge/trpc-client";
import { QueryClient } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  type Operation,
  splitLink,
} from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { EventSource } from "eventsource";
import { shownError } from "./problem.ts";
import { endSession, onSession } from "./session.ts";

/**
 * The console's server refuses calls without this header, which no other site can send. It counts no call as an act of
 * the person that the page makes by itself.
 */
const headersOf = (calls: readonly Operation[]) => ({
  "X-Cardbridge-Console": calls.every(({ context }) => context.background) ? "background" : "1",
});
/** Marks a query that the page repeats by itself. */
export const background = { trpc: { context: { background: true } } };
/** Marks a query whose answer is large: it is sent alone, so that others do not wait for it. */
export const alone = { context: { alone: true } };
const url = "/api/trpc";
// Queries are sent as POST, so that an e-mail that is searched for is in no address and no access log.
const post = { url, methodOverride: "POST" } as const;

export const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: httpSubscriptionLink({
        url,
        EventSource,
        eventSourceOptions: {
          fetch: (address, init) =>
            streamFetch(address, { ...init, headers: { ...init.headers, ...headersOf([]) } }),
        },
      }),
      false: splitLink({
        condition: ({ type }) => type === "query",
        true: splitLink({
          condition: ({ context }) => context.alone === true,
          true: httpLink({ ...post, headers: ({ op }) => headersOf([op]) }),
          false: httpBatchLink({ ...post, maxItems: 20, headers: ({ opList }) => headersOf(opList) }),
        }),
        false: httpLink({ url, headers: ({ op }) => headersOf([op]) }),
      }),
    }),
  ],
});

/** Errors that a repetition may mend. */
const passing = new Set(["unavailable", "offline", "limited"]);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      staleTime: 10_000,
      retry: (count, error) => {
        watch(error);
        return count < 2 && passing.has(shownError(error).kind);
      },
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { retry: false },
  },
});
queryClient.getMutationCache().config.onError = watch;

/** Ends the session of the page when the server no longer knows it. */
function watch(error: unknown): void {
  const { kind, code } = shownError(error);
  if (kind !== "signed-out") return;
  endSession(code === "SIGN_IN_TOO_OLD" ? "too-old" : "idle");
  // What the view has stays as it is: no query fails because the session has ended.
  void queryClient.cancelQueries();
}

/** The procedures of the service as options of queries and mutations. */
export const api = createTRPCOptionsProxy<AppRouter>({ client, queryClient });

// A new sign-in lets the person do more, or less.
onSession(() => void queryClient.invalidateQueries(api.persons.me.queryFilter()));

/**
 * Fetches a stream of events. An EventSource reconnects after a lost connection, and gives up after an error response. A
 * service that is away for a moment is therefore reported as a lost connection.
 */
async function streamFetch(address: string | URL, init: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  if (response.status < 500 && response.status !== 429) return response;
  await response.body?.cancel();
  throw new TypeError("The service is not available.");
}
