import { isRecord, type Violation } from "@cardbridge/domain";
import type { Operation, Operations } from "@cardbridge/operations";
import { initTRPC, TRPCError } from "@trpc/server";
import type { z } from "zod";
import { errorMapping, toFailure } from "../errors/mapping.ts";
import { fieldNames, unknownParameters } from "../middleware/unknown-parameters.ts";
import { kycChanges } from "../subscriptions/kyc-changes.ts";
import type { OwnCall, TrpcContext } from "./context.ts";
import { formatError } from "./errors.ts";

const t = initTRPC.context<TrpcContext>().create({
  isDev: false,
  errorFormatter: formatError,
  jsonl: { contentType: "application/jsonl" },
  sse: { ping: { enabled: true, intervalMs: 15_000 }, client: { reconnectAfterInactivityMs: 45_000 } },
});

/** Creates the tRPC procedures of the operations. */
export function createRouter({
  cards,
  kyc,
  files,
  records,
  users,
  platforms,
  keys,
  encryptionKeys,
  audit,
  webhooks,
}: Operations) {
  return t.router({
    cards: t.router({ list: query(cards.list), get: query(cards.get) }),
    kyc: t.router({
      submit: mutation(kyc.submit),
      validate: mutation(kyc.validate),
      requirements: query(kyc.requirements),
      get: query(kyc.get),
      history: query(kyc.history),
      listChanges: query(kyc.listChanges),
      changes: changes(kyc.listChanges),
    }),
    files: t.router({ createUploadUrl: mutation(files.createUploadUrl) }),
    records: t.router({
      list: query(records.list),
      show: query(records.show),
      ask: mutation(records.ask),
      resend: mutation(records.resend),
      settle: mutation(records.settle),
    }),
    users: t.router({
      show: query(users.show),
      import: mutation(users.import),
      relink: mutation(users.relink),
      changeEmail: mutation(users.changeEmail),
      erase: mutation(users.erase),
    }),
    platforms: t.router({
      create: mutation(platforms.create),
      list: query(platforms.list),
      rename: mutation(platforms.rename),
    }),
    keys: t.router({
      create: mutation(keys.create),
      list: query(keys.list),
      rotate: mutation(keys.rotate),
      revoke: mutation(keys.revoke),
    }),
    encryptionKeys: t.router({
      status: query(encryptionKeys.status),
      rewrap: mutation(encryptionKeys.rewrap),
    }),
    audit: t.router({ list: query(audit.list), verify: query(audit.verify) }),
    webhooks: t.router({
      create: mutation(webhooks.create),
      list: query(webhooks.list),
      get: query(webhooks.get),
      update: mutation(webhooks.update),
      delete: mutation(webhooks.delete),
      rotateSecret: mutation(webhooks.rotateSecret),
      test: mutation(webhooks.test),
      deliveries: query(webhooks.deliveries),
      delivery: query(webhooks.delivery),
      redeliver: mutation(webhooks.redeliver),
      redeliverFailed: mutation(webhooks.redeliverFailed),
    }),
  });
}

export type AppRouter = ReturnType<typeof createRouter>;

function query<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>) {
  return t.procedure.input(withInputType(operation.input)).query(resolver(operation));
}

function mutation<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>) {
  return t.procedure.input(withInputType(operation.input)).mutation(resolver(operation));
}

/** A subscription that consists of the operation's pages. Its first page is read before the response begins. */
function changes(operation: Operations["kyc"]["listChanges"]) {
  const run = resolver(operation);
  return t.procedure.input(withInputType(operation.input)).subscription(async (options) => {
    const { ctx, input, signal } = options;
    const first = await run(options);
    const subscription = await ctx.subscriptions.open(platformOf(ctx), signal);
    const read = (lastEventId?: string) => run({ ...options, input: { lastEventId } });
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
  return (raw: unknown) => raw as z.input<I>;
}

/** The parts of tRPC's resolver options that are used here. */
interface ResolverOptions {
  ctx: TrpcContext;
  input: unknown;
  /** Aborts if the caller disconnects or stops reading a streamed response. */
  signal: AbortSignal | undefined;
  batchIndex?: number;
}

function resolver<I extends z.ZodType, O extends z.ZodType>(operation: Operation<I, O>) {
  const fields = fieldNames(operation.input);
  return async ({ ctx, input = {}, signal, batchIndex = 0 }: ResolverOptions): Promise<z.output<O>> => {
    const own = ctx.calls[batchIndex];
    if (!own) throw new TypeError("The tRPC context has no call with this index.");
    try {
      if (own.refusal) throw own.refusal;
      const violations = [
        ...(operation.idempotent ? sharedIdempotencyKey(ctx, own) : []),
        ...(operation.kind === "query" ? unknownParameters(namesIn(input), fields) : []),
      ];
      const { data, replayed } = await operation.execute(
        ctx.ports,
        { ...own.call, signal },
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
