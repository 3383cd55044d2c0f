import { isRecord, kycChangesQuery, type Slot, type Violation } from "@cardbridge/domain";
import { listProcedures, type Operation, type Operations, type Procedures } from "@cardbridge/operations";
import { type AnyTRPCProcedure, initTRPC, TRPCError } from "@trpc/server";
import type { z } from "zod";
import { errorMapping, toFailure } from "../errors/mapping.ts";
import { fieldNames, unknownParameters } from "../middleware/unknown-parameters.ts";
import type { OwnCall, TrpcContext } from "./context.ts";
import { formatError } from "./errors.ts";
import { kycChanges } from "./kyc-changes.ts";

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: formatError,
  jsonl: { contentType: "application/jsonl" },
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
});

/** Creates the procedures of the operations, and the subscription to KYC changes. */
export function createRouter(operations: Operations) {
  const procedures: Record<string, Record<string, AnyTRPCProcedure>> = {};
  for (const operation of listProcedures(operations)) {
    const [noun = "", verb = ""] = operation.id.split(".");
    procedures[noun] = { ...procedures[noun], [verb]: procedureOf(operation) };
  }
  const tree = procedures as ProcedureTree<Procedures>;
  return t.router({ ...tree, kyc: { ...tree.kyc, changes: changes(operations.kyc.listChanges) } });
}

export type AppRouter = ReturnType<typeof createRouter>;

/** The procedures of a tree of operations, with the exact types that clients infer. */
type ProcedureTree<Nouns> = {
  [Noun in keyof Nouns]: { [Verb in keyof Nouns[Noun]]: ProcedureOf<Nouns[Noun][Verb]> };
};

type ProcedureOf<O> =
  O extends Operation<infer I, infer Out, infer K>
    ? K extends "read"
      ? ReturnType<typeof query<I, Out>>
      : ReturnType<typeof mutation<I, Out>>
    : never;

function procedureOf(operation: Operation): AnyTRPCProcedure {
  return operation.kind === "read" ? query(operation) : mutation(operation);
}

function query<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>) {
  return t.procedure.input(withInputType(operation.input)).query(resolver(operation));
}

function mutation<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>) {
  return t.procedure.input(withInputType(operation.input)).mutation(resolver(operation));
}

/** A subscription that sends the operation's pages. It reads the first page before the response begins. */
function changes(operation: Operations["kyc"]["listChanges"]) {
  const run = resolver(operation, kycChangesQuery);
  return t.procedure.input(withInputType(kycChangesQuery)).subscription(async (options) => {
    const { ctx, input, signal } = options;
    const first = await run(options);
    const { subscriptions, checkKey } = ctx;
    const subscription = await subscriptions.open({ platformId: platformOf(ctx), checkKey, caller: signal });
    const read = (slot: Slot, lastEventId?: string) => run({ ...options, slot, input: { lastEventId } });
    return kycChanges(first, subscription, { read, isNew: input?.lastEventId === undefined });
  });
}

/** The platform of the only call of a subscription's request. */
function platformOf({ calls: [own] }: TrpcContext): string {
  if (!own) throw new TypeError("The tRPC context has no call.");
  return own.call.platformId;
}

/** Gives tRPC only the type of the input. The operation parses it and reports all violations. */
function withInputType<I extends z.ZodType>(_schema: I) {
  return (raw: unknown) => raw as Optional<z.input<I>>;
}

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
function resolver<I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
  schema: z.ZodType = operation.input,
) {
  const fields = fieldNames(schema);
  return async ({
    ctx,
    input: sent = {},
    signal,
    batchIndex = 0,
    slot,
  }: ResolverOptions): Promise<z.output<O>> => {
    const own = ctx.calls[batchIndex];
    if (!own) throw new TypeError("The tRPC context has no call with this index.");
    try {
      if (own.refusal) throw own.refusal;
      const input = fields.includes("cursor") ? withoutDirection(sent) : sent;
      const violations = [
        ...(operation.idempotent ? sharedIdempotencyKey(ctx, own) : []),
        ...(operation.kind === "read" ? unknownParameters(namesIn(input), fields) : []),
      ];
      const { data, replayed } = await operation.execute(
        ctx.ports,
        { ...own.call, signal, ...(slot && { slot }) },
        input,
        violations,
      );
      own.replayed = replayed === true;
      return data;
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
