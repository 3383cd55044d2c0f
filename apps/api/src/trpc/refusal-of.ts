import type { Failure } from "@cardbridge/domain";
import type { TRPCError } from "@trpc/server";
import type { HonoRequest } from "hono";
import { malformed } from "../errors/malformed.ts";
import { maxCallsOfBatch } from "../server/limits.ts";
import { failureOf } from "./errors.ts";

/**
 * Describes why tRPC refused a request as a whole. tRPC's own messages repeat the caller's values and omit the limits.
 *
 * @param names the procedures that the request names
 */
export function refusalOf(
  error: TRPCError | undefined,
  request: HonoRequest,
  names: readonly string[],
): Failure {
  if (error?.code !== "BAD_REQUEST") return failureOf(error);
  if (names.length > maxCallsOfBatch) {
    const message = `Send at most ${maxCallsOfBatch} calls in one batch; this one has ${names.length}.`;
    return malformed("batch-size", message);
  }
  if (request.query("batch") !== "1") {
    return malformed("stream", "Only batches can be streamed: send batch=1, or accept application/json.");
  }
  return malformed("batch-kinds", "Send queries and mutations in separate batches.");
}
