import { type Card, cardFormats, holdsCardNumber, isSecurityCode, type Observer } from "@cardbridge/domain";
import * as z from "zod";
import { isOwnId, isShortText } from "../http/texts.ts";

/** A provider's card with the service's field names. Required fields are validated; the mapper validates the rest. */
export type CardFields = { cardId: string; status: string } & {
  readonly [field in Exclude<keyof Card, "cardId" | "status">]?: unknown;
};

type Check<T> = (value: unknown) => value is T;

const isLast4 = matches(cardFormats.last4);
const isCurrency = matches(cardFormats.currency);
const isMonth = within(cardFormats.expiryMonth);
const isYear = within(cardFormats.expiryYear);
const dateTime = z.iso.datetime({ offset: true });

/**
 * Maps a card by allow-list. A malformed field, or a field that looks like a card number or a CVV, becomes null and is
 * reported to the observer. `createdAt` is converted to UTC with milliseconds.
 */
export function toCard(wire: CardFields, observer: Observer): Card {
  function read<T>(field: keyof CardFields, check: Check<T>): T | null {
    const value = wire[field] ?? null;
    if (value === null || check(value)) return value;
    observer.observe("provider_card_field_malformed", { field });
    return null;
  }

  return {
    cardId: wire.cardId,
    status: wire.status,
    memberId: read("memberId", isOwnId),
    cardAccountId: read("cardAccountId", isOwnId),
    type: read("type", isSafeText),
    network: read("network", isSafeText),
    last4: read("last4", isLast4),
    expiryMonth: read("expiryMonth", isMonth),
    expiryYear: read("expiryYear", isYear),
    nameOnCard: read("nameOnCard", isSafeText),
    currency: read("currency", isCurrency),
    createdAt: toUtc(read("createdAt", isDateTime)),
  };
}

function isSafeText(value: unknown): value is string {
  return isShortText(value) && !holdsCardNumber(value) && !isSecurityCode(value);
}

function matches(pattern: RegExp): Check<string> {
  return (value): value is string => typeof value === "string" && pattern.test(value);
}

function within({ min, max }: { min: number; max: number }): Check<number> {
  return (value): value is number => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isDateTime(value: unknown): value is string {
  return dateTime.safeParse(value).success;
}

function toUtc(text: string | null): string | null {
  // A valid UTC time of 24 characters has milliseconds, so it already has the output format.
  if (text === null || (text.length === 24 && text.endsWith("Z"))) return text;
  return new Date(text).toISOString();
}
