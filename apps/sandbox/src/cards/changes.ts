import { derivedId } from "../derived-id.ts";
import type { CardChange } from "../state/entries.ts";
import type { State } from "../state/state.ts";
import type { Card } from "../wire.ts";
import { findCard } from "./find.ts";

/** The changes of status that these cards make. A new card is not a change. */
export function cardChanges(state: State, cards: readonly Card[], now: number): CardChange[] {
  const changed = cards.filter(({ cardId, status }) => {
    const before = findCard(state, cardId, now);
    return before !== undefined && before.status !== status;
  });
  return changed.map(({ cardId, userReference, status }, index) => ({
    eventId: derivedId("evt", `${cardId}:${state.cardChanges.length + index}`),
    at: now,
    cardId,
    userReference,
    status,
  }));
}
