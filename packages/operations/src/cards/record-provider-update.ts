import { cardUpdated, Failure } from "@cardbridge/domain";
import * as z from "zod";
import { defineOperation } from "../operation/define.ts";

/** Repeats a provider's event about a card to the endpoints of its user's platform (gap G32). */
export const recordCardUpdate = defineOperation({
  id: "cards.recordProviderUpdate",
  kind: "mutation",
  summary: "Repeat a provider event about a card",
  description: "Writes the event card.updated for the webhook endpoints of the platform that has the user.",
  documented: false,
  actors: ["provider"],
  scopes: [],
  platform: false,
  idempotent: false,
  binary: false,
  input: z.object({ eventId: z.string(), card: cardUpdated }),
  rules: [],
  output: z.object({ cardId: z.string() }),
  example: {
    input: {
      eventId: "evt_0a1b2c3d",
      card: { cardId: "card_0a1b2c3d", externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k", status: "locked" },
    },
    output: { cardId: "card_0a1b2c3d" },
  },
  errors: ["USER_NOT_FOUND"],
  audit: [],

  async run({ webhookDeliveries, observer }, _call, { eventId, card }) {
    if (!(await webhookDeliveries.cardUpdated(card, eventId))) {
      observer.observe("provider_foreign_answer", { operation: "event", reason: "foreign" });
      throw new Failure("USER_NOT_FOUND");
    }
    return { data: { cardId: card.cardId } };
  },
});
