import { format } from "../input/format.ts";
import { isCardNumber } from "./card-number.ts";

/**
 * A card's id, which is also a path segment. Its characters are safe in a path with or without percent-encoding, and
 * it cannot be a dot segment.
 */
export const cardId = format("card-id", {
  pattern: "^[A-Za-z0-9_\\-][A-Za-z0-9._~$&+,:=@\\-]*$",
  minLength: 1,
  maxLength: 256,
  inWords: {
    description: "It contains no full card number.",
    holds: (text) => !isCardNumber(text),
  },
  help: "A cardId of the card list: up to 256 letters, digits and ._~$&+,:=@-, starting with a letter, a digit, _ or -.",
});
