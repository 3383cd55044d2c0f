import type { RouterOutputs } from "@cardbridge/trpc-client";
import { ageWords, relativeTime } from "../lib/age.ts";
import { number } from "../lib/numbers.ts";
import type { Meaning } from "../lib/why.ts";
import { words } from "./words.ts";

export type Endpoint = RouterOutputs["webhooks"]["get"];
export type EndpointHealth = RouterOutputs["webhooks"]["endpointHealth"]["endpoints"][number];

const meanings: Record<string, Meaning> = { pending: "waiting", delivered: "good", failed: "bad" };

/** A state as shape and word. The service may learn further states. */
export const stateOfDelivery = (status: string): { meaning: Meaning; word: string } => ({
  meaning: meanings[status] ?? "plain",
  word: wordOf(words.statusOf, status),
});

export const eventWord = (type: string): string => wordOf(words.typeOf, type);

/** What the receiver answered, or why there is no answer. */
export function answerOf({ status, reason }: { status: number | null; reason: string | null }): string {
  if (status !== null) return words.http(status);
  return reason === null ? words.noAnswer : wordOf(words.reasons, reason);
}

/** What people call an endpoint: its name, or else its address. */
export function nameOf({ description, url }: Pick<EndpointHealth, "description" | "url">): string {
  return description ?? url ?? words.endpoint;
}

/** Whether an endpoint receives; if not, since when, when it is tried next and what it answered last, or why not. */
export function stateOfEndpoint(
  endpoint: EndpointHealth,
  now: number,
): { meaning: Meaning; word: string; more: string } {
  const { enabled, disabledReason, disabledAt, failingSince, nextAttemptAt, lastStatus, lastReason } =
    endpoint;
  if (!enabled) {
    const since = disabledAt === null ? "" : relativeTime(disabledAt, now);
    const why = disabledReason === null ? "" : wordOf(words.why, disabledReason);
    const meaning = disabledReason === "requested" ? "plain" : "bad";
    return { meaning, word: words.state.off, more: listed(since, why) };
  }
  if (failingSince === null) return { meaning: "good", word: words.state.on, more: "" };
  const next = nextAttemptAt && nextWords(nextAttemptAt, now);
  const isTried = lastStatus !== null || lastReason !== null;
  const last = isTried && words.last(answerOf({ status: lastStatus, reason: lastReason }));
  const age = now - Date.parse(failingSince);
  const word = age < soon ? words.state.failing : words.state.failingFor(ageWords(age));
  return { meaning: "attention", word, more: listed(next, last) };
}

/** Within this many milliseconds, a time is now. */
const soon = 5_000;

/** When an endpoint or a delivery is tried next. */
export const nextWords = (at: string | null, now: number): string =>
  words.next(at === null || Date.parse(at) < now + soon ? words.now : relativeTime(at, now));

const listed = (...parts: (string | false | null)[]): string => parts.filter(Boolean).join(", ");

/** How many deliveries wait for an endpoint, and failed in the last day; empty if none. */
export const undelivered = ({ pending, failed }: EndpointHealth): string =>
  listed(pending > 0 && words.waiting(countWord(pending)), failed > 0 && words.failed(countWord(failed)));

/** Counts of an endpoint end at 1,000. */
export const countWord = (count: number): string => `${number(count)}${count < 1_000 ? "" : "+"}`;

/** The words for a code; the code itself if it is newer than these words. */
const wordOf = (texts: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(texts, code) ? (texts[code] ?? code) : code;
