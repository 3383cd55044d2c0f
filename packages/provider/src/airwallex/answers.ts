import type { KycAnswer, Observer } from "@cardbridge/domain";
import type * as z from "zod";
import { type CallResult, isAny2xx, type Reason, reasonOf } from "../http/call-result.ts";
import { retryAfterSeconds } from "../http/retry-after.ts";
import { errorAnswer } from "./wire.ts";

/** The call of an answer about a submission. */
export interface AnswerContext {
  operation: "submitKyc" | "findKyc";
  observer: Observer;
  /** Milliseconds since 1970. */
  now: number;
}

/** A parsed success, or the answer that the failure of the call means for the submission. */
export type Parsed<T> = { data: T } | { failed: KycAnswer };

/**
 * Parses the body of any 2xx. Every other result leaves the outcome open.
 *
 * @param harmless whether a call that failed proves that the submission has no effect yet: it is `unsent` then
 */
export function parseAnswer<S extends z.ZodType>(
  result: CallResult,
  schema: S,
  context: AnswerContext,
  { harmless = false }: { harmless?: boolean } = {},
): Parsed<z.output<S>> {
  if (result.kind === "response" && isAny2xx(result.status)) {
    if (!result.body.valid) return { failed: invalid(result.body.reason, context, { harmless }) };
    const parsed = schema.safeParse(result.body.json);
    return parsed.success ? { data: parsed.data } : { failed: invalid("wrong-shape", context, { harmless }) };
  }
  if (result.kind === "invalid-response") return { failed: invalid(result.reason, context, { harmless }) };
  return { failed: open(result, context, harmless) };
}

/** An answer that does not follow the documentation, or is about something else. */
export function invalid(
  reason: Reason,
  { observer, operation }: AnswerContext,
  { harmless = false }: { harmless?: boolean } = {},
): KycAnswer {
  const event = reason === "foreign" ? "provider_foreign_answer" : "provider_answer_unreadable";
  observer.observe(event, { operation, reason });
  return { outcome: harmless ? "unsent" : "unknown", reason };
}

function open(result: CallResult, { now }: AnswerContext, harmless: boolean): KycAnswer {
  const reason = reasonOf(result);
  if (harmless) return { outcome: "unsent", reason };
  if (result.kind !== "response") return { outcome: "unknown", reason };
  const { status, retryAfter } = result;
  if (status !== 429 && retryAfter === undefined) return { outcome: "unknown", reason };
  return { outcome: "unknown", reason, retryAfterSeconds: retryAfterSeconds(retryAfter, now) };
}

/** The documented refusal of a creation; undefined for any other result. */
export function refusalOf(result: CallResult): { code: string; source?: unknown } | undefined {
  if (result.kind !== "response" || result.status !== 400 || !result.body.valid) return undefined;
  return errorAnswer.safeParse(result.body.json).data;
}
