import { ApiError } from "../api-error.ts";
import { canonicalJson } from "../canonical-json.ts";
import { cardChanges } from "../cards/changes.ts";
import { findCard } from "../cards/find.ts";
import { newCard } from "../cards/issued.ts";
import { derivedId } from "../derived-id.ts";
import { reasonsNamed } from "../scenarios/reasons.ts";
import { continueTimeline, isFinal, stepAt } from "../scenarios/timeline.ts";
import type { ActEntry } from "../state/entries.ts";
import type { Execution, State } from "../state/state.ts";
import type { Act } from "../wire.ts";

type Effects = Omit<ActEntry, "kind" | "at" | "act">;
type CardAct = Extract<Act, { cardId: string }>;

/** The statuses that an act on a card changes, and the status after it. */
const transitions: Readonly<Record<CardAct["act"], { from: readonly string[]; to: string }>> = {
  "lock-card": { from: ["active"], to: "locked" },
  "unlock-card": { from: ["locked"], to: "active" },
  "lose-card": { from: ["active", "locked"], to: "lost" },
};

/**
 * Decides an act with its effects. It writes nothing: the caller writes the entry if its key is new. An equal act under
 * one key returns the entry of the first.
 *
 * @param at milliseconds since 1970
 * @throws ApiError key_conflict, act_conflict, user_not_found or card_not_found
 */
export function decideAct(state: State, act: Act, at: number): ActEntry {
  const previous = state.acts.get(act.key);
  if (previous && canonicalJson(previous.act) !== canonicalJson(act))
    throw new ApiError("key_conflict", "Another act has this key.");
  if (previous) return previous;
  const effects = "cardId" in act ? onCard(state, act, at) : onSubmission(state, act, at);
  return { kind: "act", at, act, ...effects };
}

function executionOf(state: State, { reference, userReference }: Act): Execution {
  const execution = state.executions.get(reference ?? "");
  if (execution?.request.userReference === userReference) return execution;
  throw conflict("no-submission", "The user has no executed submission under this reference.");
}

/** Decides an act on a submission. An approval opens the account that a scenario's approval opens. */
function onSubmission(state: State, act: Exclude<Act, CardAct>, at: number): Effects {
  const { reference, request, timeline } = executionOf(state, act);
  const current = stepAt(timeline, at);
  switch (act.act) {
    case "approve": {
      const step = { at, status: "approved", cardAccountId: state.accountOf(reference) };
      return { timeline: continueTimeline(timeline, at, step) };
    }
    case "reject": {
      const reasons = act.reasonCode === undefined ? [] : reasonsNamed(act.reasonCode, request);
      const step = { at, status: "rejected", cardAccountId: null, reasons };
      return { timeline: continueTimeline(timeline, at, step) };
    }
    case "ask-document": {
      if (isFinal(current)) throw conflict("not-possible", "The submission has a final decision.");
      // The review goes on in its present status, so only the steps that were scheduled are dropped.
      const asked = { documentType: act.documentType, reason: null, approvedAfterMs: null };
      return { timeline: continueTimeline(timeline, at), asked };
    }
    case "issue-card": {
      if (current.status !== "approved") throw conflict("not-possible", "The submission is not approved.");
      const cardId = derivedId("card", `act:${act.key}`);
      const { cardAccountId } = current;
      return { card: newCard({ request, cardId, cardAccountId, seed: cardId, at }) };
    }
  }
}

function onCard(state: State, { act, cardId, userReference }: CardAct, at: number): Effects {
  if (!state.hasUser(userReference)) throw new ApiError("user_not_found", "This user does not exist.");
  const card = findCard(state, cardId, at);
  if (card?.userReference !== userReference)
    throw new ApiError("card_not_found", "The user has no such card.", { cardId });
  const { from, to } = transitions[act];
  if (!from.includes(card.status)) throw conflict("not-possible", `The card is ${card.status}.`);
  const changed = { ...card, status: to };
  const [change] = cardChanges(state, [changed], at);
  return { card: changed, ...(change && { change }) };
}

function conflict(reason: "no-submission" | "not-possible", message: string): ApiError {
  return new ApiError("act_conflict", message, { reason });
}
