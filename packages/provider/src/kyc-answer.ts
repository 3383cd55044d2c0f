import type { KycAnswer, Observer, ProviderKycRequest } from "@cardbridge/domain";
import { toVerdict } from "./mapper.ts";
import type { Answer, Outcome, Reason } from "./outcome.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import { kycState, notFound, refusal } from "./wire.ts";

type Names = Pick<ProviderKycRequest, "reference" | "userReference">;
type Found = KycAnswer | { outcome: "not-found" };

interface Reading {
  names: Names;
  observer: Observer;
  /** Milliseconds since 1970. */
  now: number;
}

/** What a PUT came to. `unsent` only when it was provably never handed to a connection. */
export function toSubmitAnswer(outcome: Outcome, reading: Reading): KycAnswer {
  if (outcome.kind === "broken") return { outcome: "unsent", reason: "breaker-open" };
  if ((outcome.kind === "lost" || outcome.kind === "late") && !outcome.sent) {
    return { outcome: "unsent", reason: reasonOf(outcome) };
  }
  return readVerdict(outcome, reading, "submitKyc") ?? unknown(outcome, reading);
}

/** What asking came to. Never `unsent`: a question that did not arrive says nothing of the submission. */
export function toFindAnswer(outcome: Outcome, reading: Reading): Found {
  const verdict = readVerdict(outcome, reading, "findKyc");
  if (verdict) return verdict;

  if (outcome.kind === "answer" && outcome.status === 404 && outcome.body.readable) {
    const parsed = notFound.safeParse(outcome.body.json);
    if (parsed.success) {
      const ours = parsed.data.reference === reading.names.reference;
      return ours ? { outcome: "not-found" } : suspect("foreign", reading, "findKyc");
    }
  }
  return unknown(outcome, reading);
}

/** A documented answer about a submission, or an unusable one in its place; undefined for any other. */
function readVerdict(outcome: Outcome, reading: Reading, operation: string): KycAnswer | undefined {
  if (outcome.kind === "unreadable") return suspect(outcome.reason, reading, operation);
  if (outcome.kind !== "answer") return undefined;
  if (outcome.status === 200) return readState(outcome, reading, operation);
  if (outcome.status === 422) return readRefusal(outcome, reading, operation);
  return undefined;
}

function readState({ body }: Answer, reading: Reading, operation: string): KycAnswer {
  if (!body.readable) return suspect(body.reason, reading, operation);
  const parsed = kycState.safeParse(body.json);
  if (!parsed.success) return suspect("wrong-shape", reading, operation);
  return isOurs(parsed.data, reading) ? toVerdict(parsed.data) : suspect("foreign", reading, operation);
}

function readRefusal({ body }: Answer, reading: Reading, operation: string): KycAnswer | undefined {
  const parsed = refusal.safeParse(body.readable ? body.json : undefined);
  if (!parsed.success) return undefined;
  return isOurs(parsed.data, reading) ? { outcome: "refused" } : suspect("foreign", reading, operation);
}

function isOurs(said: Names, { names }: Reading): boolean {
  return said.reference === names.reference && said.userReference === names.userReference;
}

function suspect(reason: Reason, { observer }: Reading, operation: string): KycAnswer {
  const what = reason === "foreign" ? "provider_foreign_answer" : "provider_answer_unreadable";
  observer.observe(what, { operation, reason });
  return { outcome: "unknown", reason };
}

function unknown(outcome: Outcome, { now }: Reading): KycAnswer {
  const reason = reasonOf(outcome);
  if (outcome.kind !== "answer") return { outcome: "unknown", reason };
  const { status, retryAfter } = outcome;
  if (status !== 429 && retryAfter === undefined) return { outcome: "unknown", reason };
  return { outcome: "unknown", reason, retryAfterSeconds: retryAfterSeconds(retryAfter, now) };
}

function reasonOf(outcome: Outcome): Reason {
  switch (outcome.kind) {
    case "answer":
      return `status-${outcome.status}`;
    case "late":
      return "deadline";
    case "broken":
      return "breaker-open";
    default:
      return outcome.reason;
  }
}
