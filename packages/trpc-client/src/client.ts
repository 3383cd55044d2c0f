import type { procedures } from "./contract.ts";

/**
 * The procedures of the service, group by group: `cardbridge.cards.list.query(input)`. At run time it is tRPC's own
 * client; its type is ours, because the declarations of `@trpc/client` need those of Node and of `ws`.
 */
export type Client = Callable<typeof procedures>;

type Callable<Group> = {
  [Name in keyof Group]: Group[Name] extends { type: "query"; input: infer Input; output: infer Output }
    ? { query: (input: Input, options?: QueryOptions) => Promise<Output> }
    : Group[Name] extends { type: "mutation"; input: infer Input; output: infer Output }
      ? { mutate: (input: Input, options?: MutationOptions) => Promise<Output> }
      : Group[Name] extends { type: "subscription"; input: infer Input; output: infer Event }
        ? { subscribe: (input: Input, options: SubscriptionOptions<Event>) => { unsubscribe(): void } }
        : Callable<Group[Name]>;
};

export interface QueryOptions {
  /** Aborts the call; the promise is then rejected. */
  signal?: AbortSignal;
}

export interface MutationOptions extends QueryOptions {
  /** The same key with the same input repeats the first result, where the procedure takes one: `kyc.submit`. */
  context?: { idempotencyKey?: string | undefined };
}

export interface SubscriptionOptions<Event> extends QueryOptions {
  /** Receives each event, in order. */
  onData: (event: Event) => void;
  /** Receives the error that ended the subscription. It reconnects by itself after a lost connection. */
  onError?: (error: Error) => void;
  /** Called whenever it is connected. */
  onStarted?: () => void;
}
