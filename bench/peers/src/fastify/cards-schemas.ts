import { currency, last4, withoutControls } from "../common/vocabulary.js";

const name = { type: "string", minLength: 1, maxLength: 64, pattern: withoutControls.source };

export const cardsQuery = {
  type: "object",
  oneOf: [{ required: ["email"] }, { required: ["memberId"] }],
  properties: {
    email: { type: "string", format: "email", maxLength: 128 },
    memberId: name,
    status: name,
    page: { type: "integer", minimum: 1, maximum: 10_000, default: 1 },
    pageSize: { type: "integer", minimum: 1, maximum: 100, default: 20 },
  },
};

const nullableText = { type: "string", nullable: true, default: null };

/** The fields of a card that callers are shown. */
export const cardProperties = {
  cardId: { type: "string" },
  status: { type: "string" },
  memberId: nullableText,
  cardAccountId: nullableText,
  type: nullableText,
  network: nullableText,
  last4: { ...nullableText, pattern: last4.source },
  expiryMonth: { type: "integer", nullable: true, default: null, minimum: 1, maximum: 12 },
  expiryYear: { type: "integer", nullable: true, default: null, minimum: 2000, maximum: 2999 },
  nameOnCard: { ...nullableText, maxLength: 256 },
  currency: { ...nullableText, pattern: currency.source },
  createdAt: { ...nullableText, format: "date-time" },
};

export const cardPage = {
  type: "object",
  properties: {
    items: { type: "array", items: { type: "object", properties: cardProperties } },
    page: { type: "integer" },
    pageSize: { type: "integer" },
    total: { type: "integer" },
    totalPages: { type: "integer" },
  },
};
