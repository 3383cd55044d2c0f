import type { CardProvider, Observer } from "@cardbridge/domain";
import { toCardSlice, toCardsQuery } from "./card-list.ts";
import { type ClientOptions, createClient } from "./client.ts";
import { toFindAnswer, toSubmitAnswer } from "./kyc-answer.ts";
import { toWireSubmission } from "./mapper.ts";

export interface CardProviderOptions extends ClientOptions {
  observer: Observer;
}

/**
 * The external card provider over signed JSON and HTTP (docs/provider-contract.md).
 *
 * `listCards` also rejects with the reason of the caller's signal, when the caller went away. `close`
 * waits for calls under way, each of which ends by its deadline.
 * @throws TypeError for a base URL or a client id that cannot be used.
 */
export function createCardProvider(options: CardProviderOptions): CardProvider & { close(): Promise<void> } {
  const { observer, now = Date.now } = options;
  const client = createClient({ ...options, now });

  return {
    async listCards(request, signal) {
      const outcome = await client.read("cards", "/v1/cards", toCardsQuery(request), signal);
      return toCardSlice(outcome, request, observer, now());
    },

    async submitKyc(order) {
      try {
        const outcome = await client.write(kycPath(order.reference), toWireSubmission(order));
        return toSubmitAnswer(outcome, { names: order, observer, now: now() });
      } catch {
        return { outcome: "unknown", reason: "internal" };
      }
    },

    async findKyc(order) {
      try {
        const outcome = await client.read("kyc", kycPath(order.reference), "");
        return toFindAnswer(outcome, { names: order, observer, now: now() });
      } catch {
        return { outcome: "unknown", reason: "internal" };
      }
    },

    close: () => client.close(),
  };
}

function kycPath(reference: string): string {
  return `/v1/kyc/${encodeURIComponent(reference)}`;
}
