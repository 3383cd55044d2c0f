import {
  isRecord,
  type KycChangeEvent,
  kycChangesQuery,
  type RecordChangeEvent,
  recordChangesQuery,
  type Slot,
  type Violation,
} from "@cardbridge/domain";
import {
  type Call,
  holderOf,
  listProcedures,
  namedPlatforms,
  type Operation,
  type Operations,
  type Procedures,
} from "@cardbridge/operations";
import { type AnyTRPCProcedure, initTRPC, TRPCError } from "@trpc/server";
import type { z } from "zod";
import { errorMapping, toFailure } from "../errors/mapping.ts";
import { fieldNames, unknownParameters } from "../middleware/unknown-parameters.ts";
import { sendChanges } from "./changes.ts";
import type { OwnCall, TrpcContext } from "./context.ts";
import { formatError } from "./errors.ts";
import type { Change, ChangePage } from "./feed.ts";
import { atNamedPlatform, type NamedPlatform } from "./named-platform.ts";

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

/** The changes of one platform's KYC records, as the events of webhooks. */
function kycChanges({ kyc }: Operations) {
  return changes<z.input<typeof kycChangesQuery> & NamedPlatform, KycChangeEvent, Omit<KycChangeEvent, "id">>(
    {
      operation: kyc.listChanges,
      query: kycChangesQuery,
      pagesOf: ({ platformId }) => platformId,
      toEvent: ({ id: _, ...event }) => event,
    },
  );
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

/** The parts of tRPC's resolver options that are used here. */
interface ResolverOptions {
  ctx: TrpcContext;
  input: unknown;
  /** Aborts if the caller disconnects or stops reading a streamed response. */
  signal: AbortSignal | undefined;
  batchIndex?: number;
  /** The slot of a subscription's page. The default is the slot of the request. */
  slot?: Slot;
}

/** Runs the operation with an input of this schema, which may have fewer fields than the operation's. */
function resolver<O extends Operation>(operation: O, schema: z.ZodType = operation.input) {
  const fields = fieldNames(schema);
  return async ({
    ctx,
    input: sent = {},
    signal,
    batchIndex = 0,
    slot,
  }: ResolverOptions): Promise<z.output<O["output"]>> => {
    const own = ownCall(ctx, batchIndex);
    try {
      if (own.refusal) throw own.refusal;
      const page = fields.includes("cursor") ? withoutDirection(sent) : sent;
      const at = operation.platform ? await atNamedPlatform(ctx.ports, own.call, page) : undefined;
      const { call, input, violations: found } = at ?? { call: own.call, input: page, violations: [] };
      own.call = call;
      const known = at && call.kind === "internal" ? [...fields, "platformId"] : fields;
      const violations = [
        ...found,
        ...(operation.idempotent ? sharedIdempotencyKey(ctx, own) : []),
        ...(operation.kind === "read" ? unknownParameters(namesIn(input), known) : []),
      ];
      const { data, replayed } = await operation.execute(
        ctx.ports,
        { ...call, signal, ...(slot && { slot }) },
        input,
        violations,
      );
      own.replayed = replayed === true;
      return data as z.output<O["output"]>;
    } catch (error) {
      const failure = toFailure(error, signal);
      throw new TRPCError({
        code: errorMapping[failure.code].trpc,
        message: failure.message,
        cause: failure,
      });
    }
  };
}

/** The context of a call, by its index in the batch. */
function ownCall({ calls }: TrpcContext, batchIndex = 0): OwnCall {
  const own = calls[batchIndex];
  if (!own) throw new TypeError("The tRPC context has no call with this index.");
  return own;
}

/**
 * Removes what tRPC's infinite queries add to the input of a page: the direction, and a null cursor of the first page.
 * Lists know forward only.
 */
function withoutDirection(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { direction, cursor, ...rest } = input;
  const backward = direction === undefined || direction === "forward" ? {} : { direction };
  return { ...rest, ...backward, ...(cursor == null ? {} : { cursor }) };
}

function namesIn(input: unknown): string[] {
  return isRecord(input) ? Object.keys(input) : [];
}

/** An Idempotency-Key belongs to one call (gap G20). */
function sharedIdempotencyKey({ calls }: TrpcContext, { call }: OwnCall): Violation[] {
  if (calls.length === 1 || call.idempotencyKey === undefined) return [];
  const message =
    "Send each mutation with an Idempotency-Key in its own request, because the key belongs to one call.";
  return [{ path: ["Idempotency-Key"], rule: "idempotency-key-one-call", message }];
}
