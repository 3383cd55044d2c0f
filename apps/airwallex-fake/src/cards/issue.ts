import { randomUUID } from "node:crypto";
import type * as z from "zod";
import { findCardholder } from "../cardholders/find.ts";
import type { Events } from "../events/events.ts";
import type { Card, CardStatus, issueSchema } from "../records/card.ts";
import type { Store } from "../state/state.ts";
import { timestamp } from "../time.ts";

interface Dependencies {
  store: Store;
  events: Events;
  now: () => number;
}

/**
 * Issues a card to a cardholder.
 * @throws ApiError not_found if the cardholder does not exist
 */
export function issueCard(dependencies: Dependencies, wanted: z.infer<typeof issueSchema>): Card {
  const { store, now } = dependencies;
  const { last_four, card_id = randomUUID(), created_at = timestamp(now()), ...given } = wanted;
  const { first_name, last_name } = findCardholder(store.state, given.cardholder_id).individual.name;
  const card: Card = {
    ...given,
    card_id,
    card_number: `************${last_four}`,
    name_on_card: `${first_name} ${last_name}`,
    is_personalized: given.form_factor === "PHYSICAL",
    created_at,
    updated_at: created_at,
  };
  store.state.cards = [...store.state.cards.filter((other) => other.card_id !== card_id), card];
  setCardStatus(dependencies, card, card.card_status);
  return card;
}

/** Sets a card's status, adds its event, and saves both together. */
export function setCardStatus({ store, events, now }: Dependencies, card: Card, status: CardStatus): void {
  if (card.card_status !== status) card.updated_at = timestamp(now());
  card.card_status = status;
  events.add(`issuing.card.${status.toLowerCase()}`, card, card.card_id);
  store.save();
}
