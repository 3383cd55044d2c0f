import {
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  type Operation,
  splitLink,
  TRPCClientError,
  type TRPCLink,
} from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { EventSource, type EventSourceInit } from "eventsource";
import type { AppRouter } from "./app-router.ts";
import type { PersonToken } from "./client.ts";
import { explainFetch } from "./explain-fetch.ts";
import { isHeaderWord } from "./header-word.ts";
import { noteResponse } from "./response-info.ts";

/** A link that stores the headers of each response for `responseInfo`. */
const noteResponses: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        ...observer,
        next(envelope) {
          if ("data" in envelope.result) noteResponse(envelope.result.data, envelope.context?.response);
          observer.next(envelope);
        },
      }),
    );

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

type StreamFetch = NonNullable<EventSourceInit["fetch"]>;

/**
 * Fetches a stream of events with the headers of each connection. An EventSource hides the body of an error, so an error of cardbridge
 * becomes the event with which tRPC reports errors. Any other error response below 500 ends the subscription. After all
 * other failures, it reconnects.
 */
function streamFetch(headersOf: () => Promise<Record<string, string>>): StreamFetch {
  return async (url, init) => {
    const headers = { ...init.headers, ...(await headersOf()) };
    const response = await explainFetch(url, { ...init, headers });
    if (response.ok) return response;
    const body: unknown = await response.json().catch((error: unknown) => {
      if (response.status >= 500) throw error;
    });
    if (typeof body !== "object" || body === null || !("error" in body)) return response;
    const event = `event: serialized-error\ndata: ${JSON.stringify(body.error)}\n\n`;
    return new Response(event, { headers: { "content-type": "text/event-stream" } });
  };
}

type Context = Record<string, unknown>;

/**
 * A link that replaces the person of a query or a mutation by the person's token when the call starts. Later, a function
 * that reads the current request's person would return that of another request. A subscription keeps the function.
 */
function resolvePersons(person: PersonToken | undefined): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (op.type === "subscription" || (op.context.person ?? person) === undefined) return next(op);
      return observable((observer) => {
        let unsubscribe: (() => void) | undefined;
        let left = false;
        personOf(op.context, person).then(
          (token) => {
            if (left) return;
            const resolved = next({ ...op, context: { ...op.context, person: token } });
            unsubscribe = resolved.subscribe(observer).unsubscribe;
          },
          (error: Error) => observer.error(TRPCClientError.from(error)),
        );
        return () => {
          left = true;
          unsubscribe?.();
        };
      });
    };
}

/**
 * The token of a call's own person, or of the client's; undefined for a call without a person.
 * @throws TypeError if it cannot be a token; the errors of the app's function
 */
async function personOf(
  { person: own }: Context,
  person: PersonToken | undefined,
): Promise<string | undefined> {
  const source = own ?? person;
  const token: unknown = typeof source === "function" ? await source() : source;
  if (token === undefined) return undefined;
  // Otherwise fetch's own error would contain the token.
  if (typeof token !== "string" || !isHeaderWord(token)) {
    throw new TypeError("The person is not an access token.");
  }
  return token;
}

/** The header of a resolved person. */
function personHeaders({ person }: Context): Record<string, string> {
  return typeof person === "string" ? { "X-Cardbridge-Person": person } : {};
}
