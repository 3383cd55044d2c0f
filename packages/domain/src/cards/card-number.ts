/** How people set a number: in groups of four, as American Express does, as Diners Club does. */
const settings = ["4 4 4 4", "4 4 4 4 3", "4 6 5", "4 6 4"].map((setting) => setting.split(" ").map(Number));

const fewestDigits = 12;
// Made once: what is built for production would make a literal anew for every text.
const betweenParts = /[^\p{L}\p{N}]+/u;
const allBetweenParts = /[^\p{L}\p{N}]/gu;
const manyDigits = /\p{Nd}{12}/u;
const aNumber = /^[0-9]{12,19}$/;
const aSecurityCode = /^\s*\p{Nd}{3,4}\s*$/u;

/**
 * Whether an id is a full card number, or has one among its parts: 12 to 19 digits as a whole, whatever stands
 * between them, or 13 to 19 in a part or set as people do, with a right check digit (Luhn). Other runs of
 * digits, or digits within letters, are an id.
 */
export function isCardNumber(id: string): boolean {
  if (hasNoRoom(id)) return false;
  const parts = id.normalize("NFKC").split(betweenParts);
  const groups = parts.flatMap((_, from) =>
    settings
      .filter((setting) => isSet(parts, from, setting))
      .map(({ length }) => parts.slice(from, from + length)),
  );
  const candidates = [...parts.filter(({ length }) => length > 12), ...groups.map((group) => group.join(""))];
  return [parts.join(""), ...candidates].some((digits) => aNumber.test(digits) && hasCheckDigit(digits));
}

/** Whether a text that people write or read could hold a full card number anywhere. */
export function holdsCardNumber(text: string): boolean {
  return !hasNoRoom(text) && manyDigits.test(text.normalize("NFKC").replace(allBetweenParts, ""));
}

/** Whether a text is nothing but 3 or 4 digits: where words are expected, it could be a CVV. */
export function isSecurityCode(text: string): boolean {
  return aSecurityCode.test(text);
}

/** Whether no letter-free stretch has the digits of a card number; of a text beyond ASCII that is not asked. */
function hasNoRoom(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) return false;
    if (code >= 48 && code <= 57) digits += 1;
    else if (isLetter(code)) digits = 0;
    if (digits === fewestDigits) return false;
  }
  return true;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

function isSet(parts: readonly string[], from: number, setting: readonly number[]): boolean {
  return setting.every((length, index) => parts[from + index]?.length === length);
}

function hasCheckDigit(digits: string): boolean {
  const weighed = [...digits].reverse().map((digit, place) => Number(digit) * (1 + (place % 2)));
  const sum = weighed.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}
