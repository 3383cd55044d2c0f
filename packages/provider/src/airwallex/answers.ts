import type * as z from "zod";
import { type CallResult, isAny2xx } from "../http/call-result.ts";
import { readJson } from "../http/read-json.ts";
import { type FailedReply, failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import type { AirwallexClient } from "./client.ts";
import { clientErrorOf, meaningOf } from "./client-errors.ts";

/** What the calls within one deadline need. */
export interface Calls {
  client: AirwallexClient;
  context: ReplyContext;
  /** The remaining time for all calls, in milliseconds. */
  remaining(): number;
}

/** The parsed body of a success, or the reply for the submission after the call failed. */
export type Parsed<T> = { data: T } | { failed: FailedReply };

/**
 * Parses the body of any 2xx. Every other result leaves the outcome unknown. An error that only a change of the
 * configuration can resolve raises an alarm.
 */
export function parseAnswer<S extends z.ZodType>(
  result: CallResult,
  shape: S,
  context: ReplyContext,
): Parsed<z.output<S>> {
  const error = clientErrorOf(result);
  if (error && meaningOf(error) === "misconfigured") {
    const { reason } = error;
    context.observer.observe("provider_misconfigured", { operation: context.operation, reason });
    return { failed: { outcome: context.failed ?? "unknown", reason } };
  }
  if (result.kind !== "response" || !isAny2xx(result.status)) {
    return { failed: failedReply(result, context) };
  }
  const read = readJson(result, shape);
  return "data" in read ? read : { failed: invalidReply(read.reason, context) };
}
