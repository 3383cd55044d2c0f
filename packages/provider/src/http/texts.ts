import { holdsCardNumber, isCardNumber } from "@cardbridge/domain";

/** A text that can be stored and printed: no control characters and no lone surrogates. */
const shortText = /^[^\p{Cc}\p{Cs}]{1,256}$/u;
const statusText = /^[^\p{Cc}\p{Cs}]{1,64}$/u;

export const isShortText = (value: unknown): value is string =>
  typeof value === "string" && shortText.test(value);

/** An id that is not a card number. */
export const isOwnId = (value: unknown): value is string => isShortText(value) && !isCardNumber(value);

/** A status of an open enumeration: 1 to 64 characters without a card number. */
export const isOpenStatus = (value: unknown): value is string =>
  typeof value === "string" && statusText.test(value) && !holdsCardNumber(value);
