import type { RouterInputs } from "@cardbridge/trpc-client";
import type { shared } from "../../lib/words.ts";

type Decision = RouterInputs["records"]["resolve"]["decision"];
export type Outcome = keyof typeof shared.decision.outcomeOf;
export type ReasonCode = keyof typeof shared.reasons;

/** A decision while it is entered. */
export interface Draft {
  outcome: Outcome;
  cardAccountId: string;
  reasons: readonly ReasonCode[];
  final: boolean;
  note: string;
}

/** The most reasons that a decision has. */
export const maxReasons = 10;

export const isDeclined = (outcome: Outcome | undefined): boolean =>
  outcome === "rejected" || outcome === "refused";

export type Missing = "evidence" | "account" | "reasons" | "note";

/** What a draft still needs before it can be sent. */
export function missingOf({ outcome, cardAccountId, reasons, note }: Draft, seen: boolean): Missing[] {
  const isApproval = outcome === "approved";
  const missing = {
    evidence: isApproval && !seen,
    account: isApproval && !/^[\x21-\x7e]{0,256}$/.test(cardAccountId.trim()),
    reasons: isDeclined(outcome) && (reasons.length === 0 || reasons.length > maxReasons),
    note: note.trim() === "",
  };
  return (Object.keys(missing) as Missing[]).filter((name) => missing[name]);
}

/** The decision as the service takes it. */
export function toDecision({ outcome, cardAccountId, reasons, final }: Draft): Decision {
  const explanation = { reasons: reasons.map((code) => ({ code, field: null })), final };
  if (outcome === "refused") return { outcome, explanation };
  const account = outcome === "approved" ? cardAccountId.trim() || null : null;
  const answered = { outcome: "answered" as const, subStatus: outcome, cardAccountId: account };
  return outcome === "rejected" ? { ...answered, explanation } : answered;
}
