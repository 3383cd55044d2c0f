import type { procedures } from "./contract.ts";

/**
 * The procedures of the service by group: `cardbridge.cards.list.query(input)`. At run time, it is tRPC's own client.
 * It has its own type, because the declarations of `@trpc/client` require the types of Node and of `ws`.
 */
export type Client = Callable<typeof procedures>;

type Callable<Group> = {
  [Name in keyof Group]: Group[Name] extends { type: "query"; input: infer Input; output: infer Output }
    ? { query: (...call: Call<Input, QueryOptions>) => Promise<Output> }
    : Group[Name] extends { type: "mutation"; input: infer Input; output: infer Output }
      ? { mutate: (...call: Call<Input, MutationOptions>) => Promise<Output> }
      : Group[Name] extends { type: "subscription"; input: infer Input; output: infer Event }
        ? { subscribe: (input: Input, options: SubscriptionOptions<Event>) => { unsubscribe(): void } }
        : Callable<Group[Name]>;
};

/** A procedure whose fields are all optional needs no input. */
type Call<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

/** The access token of a signed-in person, or a function that returns a valid one for each request. */
export type PersonToken = string | (() => string | Promise<string>);

/** A type alias, because an interface is not assignable to tRPC's context. */
export type CallContext = {
  /** The person for whom this call is made, instead of the client's. */
  person?: PersonToken | undefined;
};

export interface QueryOptions {
  /** Aborts the call and rejects its promise. */
  signal?: AbortSignal;
  context?: CallContext;
}

export interface MutationOptions extends QueryOptions {
  context?: CallContext & {
    /** Only for `kyc.submit`. The same key with the same input replays the first result. */
    idempotencyKey?: string | undefined;
  };
}

export interface SubscriptionOptions<Event> extends QueryOptions {
  /** Receives each event, in order. */
  onData: (event: Event) => void;
  /** Receives the error that ended the subscription. A lost connection does not end it: it reconnects. */
  onError?: (error: Error) => void;
  /** Called after each connect. */
  onStarted?: () => void;
}
