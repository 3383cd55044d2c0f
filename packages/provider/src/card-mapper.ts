import { type Card, card, type Observer } from "@cardbridge/domain";
import { z } from "zod";
import { holdsCardNumber, isCardNumber, isSecurityCode } from "./card-number.ts";
import { id, type WireCard } from "./wire.ts";

const ownId = id.refine((value) => !isCardNumber(value));
const words = id.refine((value) => !holdsCardNumber(value) && !isSecurityCode(value));
const moment = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .pipe(card.shape.createdAt.unwrap());

/**
 * A card by allow-list (gap G8). A malformed field, or one that looks like a full card number or a CVV,
 * becomes null and is observed; `createdAt` comes out in UTC with milliseconds.
 */
export function toCard(wire: WireCard, observer: Observer): Card {
  function read<T>(field: keyof WireCard, schema: z.ZodType<T>): T | null {
    const value = wire[field] ?? null;
    if (value === null) return null;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    observer.observe("provider_card_field_malformed", { field });
    return null;
  }

  return {
    cardId: wire.cardId,
    status: wire.status,
    memberId: read("memberId", ownId),
    cardAccountId: read("cardAccountId", ownId),
    type: read("type", words),
    network: read("network", words),
    last4: read("last4", card.shape.last4),
    expiryMonth: read("expiryMonth", card.shape.expiryMonth),
    expiryYear: read("expiryYear", card.shape.expiryYear),
    nameOnCard: read("nameOnCard", words),
    currency: read("currency", card.shape.currency),
    createdAt: read("createdAt", moment),
  };
}
