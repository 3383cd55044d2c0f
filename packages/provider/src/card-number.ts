/** How people set a number: in groups of four, as American Express does, as Diners Club does. */
const settings = ["4 4 4 4", "4 4 4 4 3", "4 6 5", "4 6 4"].map((setting) => setting.split(" ").map(Number));

/**
 * Whether an id is a full card number, or has one among its parts: 12 to 19 digits as a whole, whatever stands
 * between them, or 13 to 19 in a part or set as people do, with a right check digit (Luhn). Other runs of
 * digits, or digits within letters, are an id.
 */
export function isCardNumber(id: string): boolean {
  const parts = id.normalize("NFKC").split(/[^\p{L}\p{N}]+/u);
  const groups = parts.flatMap((_, from) =>
    settings.map((setting) => parts.slice(from, from + setting.length)).filter(isSet),
  );
  const candidates = [...parts.filter(({ length }) => length > 12), ...groups.map((group) => group.join(""))];
  return [parts.join(""), ...candidates].some(
    (digits) => /^[0-9]{12,19}$/.test(digits) && hasCheckDigit(digits),
  );
}

/** Whether a text that people write or read could hold a full card number anywhere. */
export function holdsCardNumber(text: string): boolean {
  return /\p{Nd}{12}/u.test(text.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, ""));
}

/** Whether a text is nothing but 3 or 4 digits: where words are expected, it could be a CVV. */
export function isSecurityCode(text: string): boolean {
  return /^\s*\p{Nd}{3,4}\s*$/u.test(text);
}

function isSet(group: readonly string[]): boolean {
  return settings.some((setting) => setting.join() === group.map(({ length }) => length).join());
}

function hasCheckDigit(digits: string): boolean {
  const weighed = [...digits].reverse().map((digit, place) => Number(digit) * (1 + (place % 2)));
  const sum = weighed.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}
