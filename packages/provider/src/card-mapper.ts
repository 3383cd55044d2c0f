import { type Card, cardForms, type Observer } from "@cardbridge/domain";
import * as z from "zod";
import { holdsCardNumber, isSecurityCode } from "./card-number.ts";
import { isOwnId, isShortText, type WireCard } from "./wire.ts";

type Check<T> = (value: unknown) => value is T;

const isLast4 = writtenAs(cardForms.last4);
const isCurrency = writtenAs(cardForms.currency);
const isMonth = within(cardForms.expiryMonth);
const isYear = within(cardForms.expiryYear);
const dateTime = z.iso.datetime({ offset: true });

/**
 * A card by allow-list (gap G8). A malformed field, or one that looks like a full card number or a CVV,
 * becomes null and is observed; `createdAt` comes out in UTC with milliseconds.
 */
export function toCard(wire: WireCard, observer: Observer): Card {
  function read<T>(field: keyof WireCard, holds: Check<T>): T | null {
    const value = wire[field] ?? null;
    if (value === null || holds(value)) return value;
    observer.observe("provider_card_field_malformed", { field });
    return null;
  }

  return {
    cardId: wire.cardId,
    status: wire.status,
    memberId: read("memberId", isOwnId),
    cardAccountId: read("cardAccountId", isOwnId),
    type: read("type", isWords),
    network: read("network", isWords),
    last4: read("last4", isLast4),
    expiryMonth: read("expiryMonth", isMonth),
    expiryYear: read("expiryYear", isYear),
    nameOnCard: read("nameOnCard", isWords),
    currency: read("currency", isCurrency),
    createdAt: inUtc(read("createdAt", isDateTime)),
  };
}

function isWords(value: unknown): value is string {
  return isShortText(value) && !holdsCardNumber(value) && !isSecurityCode(value);
}

function writtenAs(form: RegExp): Check<string> {
  return (value): value is string => typeof value === "string" && form.test(value);
}

function within({ min, max }: { min: number; max: number }): Check<number> {
  return (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isDateTime(value: unknown): value is string {
  return dateTime.safeParse(value).success;
}

function inUtc(text: string | null): string | null {
  // Of this length and in UTC, it has milliseconds and is written as it comes out.
  if (text === null || (text.length === 24 && text.endsWith("Z"))) return text;
  return new Date(text).toISOString();
}
