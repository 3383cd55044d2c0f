import { card, cardGetQuery, Failure } from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { holderOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleCard } from "./example.ts";

/** Reads one card of the caller's platform (an extension, gap G31). */
export const getCard = defineOperation({
  ...forPlatforms,
  id: "cards.get",
  kind: "read",
  rest: { method: "get", path: "/cards/{cardId}", tag: "Cards" },
  summary: "Read a card",
  description:
    "Reads one card by its id: the same record as in the card list. A card of another platform is not found. A card " +
    "whose id has characters that the parameter does not allow is available only in the list.",
  documented: false,
  scopes: ["cards:read"],
  input: cardGetQuery,
  rules: [],
  output: card,
  example: { input: { cardId: exampleCard.cardId }, output: exampleCard },
  errors: [
    "CARD_NOT_FOUND",
    "PROVIDER_TIMEOUT",
    "PROVIDER_UNAVAILABLE",
    "PROVIDER_PAUSED",
    "PROVIDER_ANSWER_INVALID",
  ],
  audit: [],

  async run({ users, provider, providerSlots }, call, { cardId }) {
    const found = await providerSlots.run(holderOf(call), () => {
      call.slot?.release();
      return provider.findCard(cardId, call.signal);
    });
    // Queries the database also for a missing card, so that the response time does not reveal other platforms' cards.
    const isOwn = await users.has(call.platformId, found?.userReference ?? "");
    if (!found || !isOwn) throw new Failure("CARD_NOT_FOUND");
    return { data: found.card };
  },
});
