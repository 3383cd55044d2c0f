import { isRecord, type Slot, type Violation } from "@cardbridge/domain";
import type { Operation } from "@cardbridge/service";
import { TRPCError } from "@trpc/server";
import type { z } from "zod";
import { errorMapping, toFailure } from "../http/errors/mapping.ts";
import { fieldNames, knownFields } from "../http/middleware/unknown-parameters.ts";
import type { OwnCall, TrpcContext } from "./context.ts";
import { atNamedPlatform, misspelledPlatform } from "./named-platform.ts";

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
export function resolver<O extends Operation>(operation: O, schema: z.ZodType = operation.input) {
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
      const { call, input: named, violations: found } = at ?? { call: own.call, input: page, violations: [] };
      own.call = call;
      const known = at && call.kind === "internal" ? [...fields, "platformId"] : fields;
      const { input, violations: unknown } =
        operation.kind === "read"
          ? knownFields(named, known)
          : { input: named, violations: at ? misspelledPlatform(named) : [] };
      const violations = [
        ...found,
        ...(operation.idempotent ? sharedIdempotencyKey(ctx, own) : []),
        ...unknown,
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
export function ownCall({ calls }: TrpcContext, batchIndex = 0): OwnCall {
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

/** An Idempotency-Key belongs to one call (gap G20). */
function sharedIdempotencyKey({ calls }: TrpcContext, { call }: OwnCall): Violation[] {
  if (calls.length === 1 || call.idempotencyKey === undefined) return [];
  const message =
    "Send each mutation with an Idempotency-Key in its own request, because the key belongs to one call.";
  return [{ path: [], header: "Idempotency-Key", rule: "idempotency-key-one-call", message }];
}
