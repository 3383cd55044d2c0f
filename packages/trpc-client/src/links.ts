import {
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  type Operation,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import { EventSource } from "eventsource";
import type { AppRouter } from "./app-router.ts";
import type { PersonToken } from "./client.ts";
import { explainFetch } from "./explain-fetch.ts";
import { noteResponses } from "./note-responses.ts";
import { personHeaders, personOf, resolvePersons } from "./persons.ts";
import { streamFetch } from "./stream-fetch.ts";

/** The maximum number of calls in one request. */
const maxCallsOfBatch = 20;
/** Half of the service's limit, because a proxy may add to the path. */
const maxUrlLength = 4_096;

interface Server {
  /** The absolute address of the tRPC endpoint. */
  url: string;
  /** The headers of every request. */
  headers: Record<string, string>;
  /** The person of calls that name none. */
  person?: PersonToken | undefined;
}

/**
 * The links of a client. Queries of one tick and one person share a request. Each mutation has its own request. A
 * subscription reconnects and continues after the last event.
 */
export function linksTo({ url, headers, person }: Server): TRPCLink<AppRouter>[] {
  const headersOf = ({ context }: Operation) => ({ ...headers, ...personHeaders(context) });
  return [
    noteResponses,
    resolvePersons(person),
    splitLink({
      condition: ({ type }) => type === "query",
      true: batchByPerson(url, headersOf),
      false: splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({
          url,
          EventSource,
          eventSourceOptions: ({ op }) => ({
            // Each connection needs a token that is still valid.
            fetch: streamFetch(async () => {
              const token = await personOf(op.context, person);
              return { ...headers, ...personHeaders({ person: token }) };
            }),
          }),
        }),
        false: httpLink({
          url,
          fetch: explainFetch,
          headers: ({ op }) => ({ ...headersOf(op), ...keyHeader(op.context) }),
        }),
      }),
    }),
  ];
}

/** A link whose batches never mix the queries of two persons, because the headers belong to a whole batch. */
function batchByPerson(
  url: string,
  headersOf: (op: Operation) => Record<string, string>,
): TRPCLink<AppRouter> {
  return (runtime) => {
    const batches = new Map<unknown, ReturnType<TRPCLink<AppRouter>>>();
    return (call) => {
      const { person } = call.op.context;
      const batch =
        batches.get(person) ??
        httpBatchLink<AppRouter>({
          url,
          fetch: explainFetch,
          headers: headersOf(call.op),
          maxItems: maxCallsOfBatch,
          maxURLLength: maxUrlLength,
        })(runtime);
      // A batch is sent in the next tick.
      if (batches.size === 0) setTimeout(() => batches.clear());
      batches.set(person, batch);
      return batch(call);
    };
  };
}

function keyHeader({ idempotencyKey }: Record<string, unknown>): Record<string, string> {
  if (idempotencyKey === undefined) return {};
  if (typeof idempotencyKey !== "string") throw new TypeError("The idempotencyKey must be a string.");
  return { "idempotency-key": idempotencyKey };
}
