import type { RouterInputs } from "@cardbridge/trpc-client";
import type { shared } from "../../lib/words.ts";

export type Decision = RouterInputs["records"]["resolve"]["decision"];
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

export type Fault = "reasons" | "account" | "note";

/** Why a draft cannot be sent; undefined if it can. */
export function faultOf({ outcome, cardAccountId, reasons, note }: Draft): Fault | undefined {
  if (isDeclined(outcome) && (reasons.length === 0 || reasons.length > maxReasons)) return "reasons";
  if (outcome === "approved" && !/^[\x21-\x7e]{0,256}$/.test(cardAccountId.trim())) return "account";
  if (note.trim() === "") return "note";
  return undefined;
}

/** The decision as the service takes it. */
export function toDecision({ outcome, cardAccountId, reasons, final }: Draft): Decision {
  const explanation = { reasons: reasons.map((code) => ({ code, field: null })), final };
  if (outcome === "refused") return { outcome, explanation };
  const account = outcome === "approved" ? cardAccountId.trim() || null : null;
  const answered = { outcome: "answered" as const, subStatus: outcome, cardAccountId: account };
  return outcome === "rejected" ? { ...answered, explanation } : answered;
}
