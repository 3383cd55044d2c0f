import { words } from "../words.ts";

/** The state of a record as a word, a shape and a meaning. */
export type Meaning = "good" | "waiting" | "attention" | "bad" | "plain";

/** What the state of a record follows from. */
export interface Reviewed {
  resolution: "unresolved" | "answered" | "refused";
  status: string | null;
  needsAttentionSince: string | null;
}

/** The state of a record in a word. What needs attention comes before everything else. */
export function stateOf({ resolution, status, needsAttentionSince }: Reviewed): {
  word: string;
  meaning: Meaning;
} {
  const { status: say } = words;
  if (needsAttentionSince !== null) return { word: say.attention, meaning: "attention" };
  if (resolution === "refused") return { word: say.refused, meaning: "bad" };
  if (resolution === "unresolved") return { word: say.waiting, meaning: "waiting" };
  if (status === "APPROVED") return { word: say.approved, meaning: "good" };
  if (status === "REJECTED") return { word: say.rejected, meaning: "bad" };
  if (status === "PENDING_APPROVAL") return { word: say.review, meaning: "waiting" };
  if (status === "PENDING") return { word: say.incomplete, meaning: "waiting" };
  return { word: say.unknown, meaning: "attention" };
}

interface Row extends Reviewed {
  subStatus: string | null;
  reasons: readonly string[];
  lastAttempt: { outcome: string; reason: string | null; count: number } | null;
}

/** Why a record is where it is, in a few words for a row. */
export function whyOf({ resolution, status, subStatus, reasons, lastAttempt }: Row): string {
  const { why } = words;
  if (resolution === "unresolved") {
    if (lastAttempt === null) return why.first;
    const text = attemptWords(lastAttempt);
    return lastAttempt.count > 1 ? `${text} ${words.units.times(lastAttempt.count)}` : text;
  }
  if (resolution === "refused" || status === "REJECTED") {
    const [first, ...others] = reasons.map(reasonWords);
    if (!first) return resolution === "refused" ? why.refusedBare : why.rejected;
    return others.length > 0 ? `${first} +${others.length}` : first;
  }
  if (status === "APPROVED") return why.approved;
  if (status === "PENDING_APPROVAL") return why.review;
  if (status === "PENDING") return why.incomplete;
  return why.unmapped(subStatus ?? words.none);
}

/** A reason of a refusal or a rejection in words; a code that is not known yet as it is. */
export function reasonWords(code: string): string {
  return (words.reasons as Record<string, string>)[code] ?? code;
}

const kinds: [RegExp, keyof typeof words.why.attempts][] = [
  [/timeout|deadline/, "timeout"],
  [/file|upload/, "file"],
  [/429|rate|throttl/, "limit"],
  [/40[13]|credential|auth/, "credentials"],
  [/breaker/, "unreachable"],
  [/503|overload|busy/, "overloaded"],
  [/connect|socket|network|dns|tls/, "connection"],
  [/mismatch/, "mismatched"],
  [/invalid|json|utf8|shape/, "invalid"],
  [/5\d\d|server|internal/, "server"],
  [/stop|abort|superseded/, "stopped"],
];

/** Whether the words of an attempt say all that its reason says. */
export const isSaid = (reason: string | null): boolean => /^(breaker-open|mismatched)$/.test(reason ?? "");

/** The outcome of an attempt in words. */
export function attemptWords({ outcome, reason }: { outcome: string; reason: string | null }): string {
  const { attempts, answered, refused } = words.why;
  if (outcome === "answered") return answered;
  if (outcome === "refused") return refused;
  if (outcome === "not-found") return attempts["not-found"];
  const kind = kinds.find(([pattern]) => pattern.test(reason ?? ""))?.[1];
  return attempts[kind ?? (outcome === "unsent" ? "unsent" : "unknown")];
}
