import type { ConnectedProvider, Observer, ProviderIds } from "@cardbridge/domain";
import { findCard, listCards } from "./cards.ts";
import { type AirwallexClientOptions, createAirwallexClient } from "./client.ts";
import { retrieve } from "./retrieve.ts";
import { cardholderStep, submit } from "./submit.ts";

export interface AirwallexProviderOptions extends AirwallexClientOptions {
  observer: Observer;
  /** Finds the cardholder of a user, and the user of a cardholder. */
  ids: ProviderIds;
}

/**
 * Creates the adapter for Airwallex Issuing. `close` waits for active calls, which end by their deadlines.
 * @throws TypeError for an invalid base URL, client id or API key
 */
export function createAirwallexProvider(options: AirwallexProviderOptions): ConnectedProvider {
  const { observer, ids, now = Date.now, deadlines } = options;
  const client = createAirwallexClient({ ...options, now });
  const shared = { client, ids, observer, now };

  return {
    listCards: (request, signal) => listCards(request, { ...shared, signal }),
    findCard: (cardId, signal) => findCard(cardId, { ...shared, signal }),
    submitKyc: (request) => submit(request, { ...shared, deadlineMs: deadlines?.kycMs ?? 10_000 }),

    /** Queries by the stored cardholder id. Without one, a send searches for a cardholder before it creates another. */
    async findKyc({ steps }) {
      const kept = await steps.done(cardholderStep);
      if (kept?.id === undefined) return { outcome: "not-found" };
      return retrieve(kept.id, { client, context: { operation: "findKyc", observer, now: now() } });
    },

    state: () => client.state(),
    close: () => client.close(),
  };
}
