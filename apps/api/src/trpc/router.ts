import {
  type KycChangeEvent,
  kycChangesQuery,
  type RecordChangeEvent,
  recordChangesQuery,
  type Slot,
} from "@cardbridge/domain";
import {
  type Call,
  holderOf,
  listProcedures,
  namedPlatforms,
  type Operation,
  type Operations,
  type Procedures,
} from "@cardbridge/service";
import { type AnyTRPCProcedure, initTRPC } from "@trpc/server";
import type { z } from "zod";
import { sendChanges } from "./changes.ts";
import type { TrpcContext } from "./context.ts";
import { formatError } from "./errors.ts";
import type { Change, ChangePage } from "./feed.ts";
import type { NamedPlatform } from "./named-platform.ts";
import { ownCall, resolver } from "./resolver.ts";

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: formatError,
  jsonl: { contentType: "application/jsonl" },
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
});

/** Creates the procedures of the operations, and the subscriptions to changes. */
export function createRouter(operations: Operations) {
  const procedures: Record<string, Record<string, AnyTRPCProcedure>> = {};
  for (const operation of listProcedures(operations)) {
    const [noun = "", verb = ""] = operation.id.split(".");
    procedures[noun] = { ...procedures[noun], [verb]: procedureOf(operation) };
  }
  const tree = procedures as ProcedureTree<Procedures>;
  return t.router({
    ...tree,
    kyc: { ...tree.kyc, changes: kycChanges(operations) },
    records: { ...tree.records, changes: recordChanges(operations) },
  });
}

export type AppRouter = ReturnType<typeof createRouter>;

/** The procedures of a tree of operations, with the exact types that clients infer. */
type ProcedureTree<Nouns> = {
  [Noun in keyof Nouns]: { [Verb in keyof Nouns[Noun]]: ProcedureOf<Nouns[Noun][Verb]> };
};

type ProcedureOf<O> = O extends Operation
  ? O["kind"] extends "read"
    ? ReturnType<typeof query<O>>
    : ReturnType<typeof mutation<O>>
  : never;

function procedureOf(operation: Operation): AnyTRPCProcedure {
  return operation.kind === "read" ? query(operation) : mutation(operation);
}

function query<O extends Operation>(operation: O) {
  return t.procedure.input(withInputType<InputOf<O>>()).query(resolver(operation));
}

function mutation<O extends Operation>(operation: O) {
  return t.procedure.input(withInputType<InputOf<O>>()).mutation(resolver(operation));
}

/** Of each event by itself, so that its type still tells its data. */
type WithoutId<Event> = Event extends { id: string } ? Omit<Event, "id"> : never;

/** The changes of one platform's KYC records, as the events of webhooks. */
function kycChanges({ kyc }: Operations) {
  return changes<z.input<typeof kycChangesQuery> & NamedPlatform, KycChangeEvent, WithoutId<KycChangeEvent>>({
    operation: kyc.listChanges,
    query: kycChangesQuery,
    pagesOf: ({ platformId }) => platformId,
    toEvent: ({ id: _, ...event }) => event as WithoutId<KycChangeEvent>,
  });
}

/** The changes of the records of several platforms. */
function recordChanges({ records }: Operations) {
  return changes<z.input<typeof recordChangesQuery>, RecordChangeEvent, RecordChanged>({
    operation: records.listChanges,
    query: recordChangesQuery,
    pagesOf(call, input) {
      const platforms = namedPlatforms(call, input.platformIds);
      return platforms === "all" ? platforms : platforms.toSorted().join();
    },
    toEvent: ({ id: _, timestamp, ...data }) => ({ type: "record.changed", timestamp, data }),
  });
}

export interface RecordChanged {
  type: "record.changed";
  /** When the change was stored; RFC 3339, in UTC. */
  timestamp: string;
  data: Omit<RecordChangeEvent, "id" | "timestamp">;
}

interface ChangeSource<Input, C extends Change, Event> {
  /** Reads a page. */
  operation: Operation<z.ZodType, z.ZodType<ChangePage<C>>>;
  /** The input of the subscription. */
  query: z.ZodType;
  /** Names the pages of a call: calls of one holder with an equal name read equal pages. */
  pagesOf(call: Call, input: Input): string;
  toEvent(change: C): Event;
}

/** A subscription that sends the operation's pages. It reads the first page before the response begins. */
function changes<Input extends { lastEventId?: string | undefined }, C extends Change, Event>({
  operation,
  query,
  pagesOf,
  toEvent,
}: ChangeSource<Input, C, Event>) {
  const run = resolver(operation, query);
  return t.procedure.input(withInputType<Input>()).subscription(async (options) => {
    const { ctx, signal } = options;
    const input = options.input as Input | undefined;
    const first = await run(options);
    const { call } = ownCall(ctx);
    const subscription = await ctx.subscriptions.open<C>({
      holder: holderOf(call),
      pages: `${operation.id} ${pagesOf(call, { ...input } as Input)}`,
      expiresAt: call.person?.expiresAt,
      checkKey: ctx.checkKey,
      caller: signal,
    });
    const read = (slot: Slot, lastEventId?: string) =>
      run({ ...options, slot, input: { ...input, lastEventId } });
    return sendChanges(first, subscription, { read, isNew: input?.lastEventId === undefined, toEvent });
  });
}

/** Gives tRPC only the type of the input. The operation parses it and reports all violations. */
function withInputType<Input>() {
  return (raw: unknown) => raw as Optional<Input>;
}

/** The input of an operation; of one for a platform's data, with the platform. */
type InputOf<O extends Operation> = O["platform"] extends true
  ? FieldsOf<z.input<O["input"]>> & NamedPlatform
  : z.input<O["input"]>;

/** The type of `z.object({})` allows no field, also none that is added. */
type FieldsOf<Input> = string extends keyof Input ? Record<never, never> : Input;

/** An input whose fields are all optional may be absent. */
type Optional<Input> = Record<never, never> extends Input ? Input | undefined : Input;
