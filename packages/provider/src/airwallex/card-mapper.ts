import type { Card, Observer } from "@cardbridge/domain";
import { toCard } from "../cards/card-mapper.ts";
import type { WireCard } from "./wire.ts";

/**
 * Maps a card. Lists have no form factor, name on the card, expiry or currency, so these fields are null. The card
 * account is the cardholder, as in the result of a submission.
 */
export function toOwnCard(wire: WireCard, observer: Observer): Card {
  return toCard(
    {
      cardId: wire.card_id,
      status: wire.card_status,
      cardAccountId: wire.cardholder_id,
      network: wire.brand,
      last4: last4Of(wire.card_number),
      createdAt: withColon(wire.created_at),
    },
    observer,
  );
}

/** Card numbers are masked, such as ************4242. A number without a mask is returned whole, and then rejected. */
function last4Of(number: unknown): unknown {
  return typeof number === "string" && /^[^0-9]+[0-9]{4}$/.test(number) ? number.slice(-4) : number;
}

/** Airwallex's times have the offset +0000 or Z. */
function withColon(time: unknown): unknown {
  return typeof time === "string" ? time.replace(/([+-]\d\d)(\d\d)$/, "$1:$2") : time;
}
