import type { State } from "../state/state.ts";
import type { Card } from "../wire.ts";
import { issuedCard } from "./issued.ts";

/**
 * A card of any user by its id. A card of `PUT /_cards` replaces an issued one with the same id.
 *
 * @param now milliseconds since 1970
 */
export function findCard(state: State, cardId: string, now: number): Card | undefined {
  const execution = state.executionOfCard(cardId);
  return state.cards.get(cardId) ?? (execution && issuedCard(execution, now));
}
