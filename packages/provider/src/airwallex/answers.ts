import type { ProviderReply } from "@cardbridge/domain";
import type * as z from "zod";
import { type CallResult, isAny2xx } from "../http/call-result.ts";
import { dataIn, readJson } from "../http/read-json.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { errorAnswer } from "./wire.ts";

/** The parsed body of a success, or the reply for the submission after the call failed. */
export type Parsed<T> = { data: T } | { failed: ProviderReply };

/** Parses the body of any 2xx. Every other result leaves the outcome unknown. */
export function parseAnswer<S extends z.ZodType>(
  result: CallResult,
  shape: S,
  context: ReplyContext,
): Parsed<z.output<S>> {
  if (result.kind !== "response" || !isAny2xx(result.status)) {
    return { failed: failedReply(result, context) };
  }
  const read = readJson(result, shape);
  return "data" in read ? read : { failed: invalidReply(read.reason, context) };
}

/** The documented refusal of a creation; undefined for any other result. */
export function refusalOf(result: CallResult): z.output<typeof errorAnswer> | undefined {
  return result.kind === "response" && result.status === 400 ? dataIn(result, errorAnswer) : undefined;
}
