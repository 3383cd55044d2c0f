import type { ConnectedProvider, Observer } from "@cardbridge/domain";
import { cardPath, toOwnedCard } from "./card-find.ts";
import { toCardSlice, toCardsQuery } from "./card-list.ts";
import { type ClientOptions, createClient } from "./client.ts";
import { toExecutionPage, toExecutionsQuery } from "./execution-list.ts";
import { toWireSubmission } from "./kyc-mapper.ts";
import { toFindReply, toSubmitReply } from "./kyc-reply.ts";

export interface CardProviderOptions extends ClientOptions {
  observer: Observer;
}

/**
 * Creates the adapter for the card provider (docs/contribute/provider-contract.md).
 *
 * `listCards` and `findCard` also reject with the caller's abort reason. `close` waits for active calls, which end by
 * their deadlines.
 * @throws TypeError for an invalid base URL or client id
 */
export function createCardProvider(options: CardProviderOptions): ConnectedProvider {
  const { observer, now = Date.now } = options;
  const client = createClient({ ...options, now });

  return {
    async listCards(request, signal) {
      const result = await client.read("cards", "/v1/cards", toCardsQuery(request), signal);
      return toCardSlice(result, request, { operation: "listCards", observer, now: now() });
    },

    async findCard(cardId, signal) {
      const result = await client.read("cards", cardPath(cardId), "", signal);
      return toOwnedCard(result, cardId, { operation: "findCard", observer, now: now() });
    },

    async submitKyc(request) {
      try {
        const result = await client.write(kycPath(request.reference), toWireSubmission(request));
        return toSubmitReply(result, { operation: "submitKyc", expected: request, observer, now: now() });
      } catch {
        return { outcome: "unknown", reason: "internal" };
      }
    },

    async findKyc(query) {
      try {
        const result = await client.read("kyc", kycPath(query.reference), "");
        return toFindReply(result, { operation: "findKyc", expected: query, observer, now: now() });
      } catch {
        return { outcome: "unknown", reason: "internal" };
      }
    },

    async listExecutions(request) {
      const result = await client.read("kyc", "/v1/kyc", toExecutionsQuery(request));
      return toExecutionPage(result, { operation: "listExecutions", observer, now: now() });
    },

    state: () => client.state(),
    close: () => client.close(),
  };
}

function kycPath(reference: string): string {
  return `/v1/kyc/${encodeURIComponent(reference)}`;
}
