/** The usual groupings of printed numbers: most networks, 19 digits, American Express, Diners Club. */
const groupings = ["4 4 4 4", "4 4 4 4 3", "4 6 5", "4 6 4"].map((grouping) =>
  grouping.split(" ").map(Number),
);

const minDigits = 12;
// Constants, because the production build would otherwise compile each literal on every call.
const separators = /[^\p{L}\p{N}]+/u;
const allSeparators = /[^\p{L}\p{N}]/gu;
const manyDigits = /\p{Nd}{12}/u;
const numberPattern = /^[0-9]{12,19}$/;
const securityCodePattern = /^\s*\p{Nd}{3,4}\s*$/u;

/**
 * Whether an id is or contains a full card number with a valid check digit (Luhn): 12 to 19 digits in the whole id,
 * with any separators, or 13 to 19 digits in one part or in adjacent parts of a usual grouping. Other digits, and
 * digits next to letters, are allowed.
 */
export function isCardNumber(id: string): boolean {
  if (hasTooFewDigits(id)) return false;
  const parts = id.normalize("NFKC").split(separators);
  const longParts = parts.filter(({ length }) => length > minDigits);
  const candidates = [parts.join(""), ...longParts, ...groupedNumbers(parts)];
  return candidates.some((digits) => numberPattern.test(digits) && hasValidCheckDigit(digits));
}

/** Whether free text can contain a full card number anywhere. It ignores check digits. */
export function holdsCardNumber(text: string): boolean {
  return !hasTooFewDigits(text) && manyDigits.test(text.normalize("NFKC").replace(allSeparators, ""));
}

/** Whether a text consists of 3 or 4 digits only. In a text field, it could be a CVV. */
export function isSecurityCode(text: string): boolean {
  return securityCodePattern.test(text);
}

/** A fast check: false if a run without letters has enough digits, or if the text is not ASCII. */
function hasTooFewDigits(text: string): boolean {
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 127) return false;
    if (isDigit(code)) digits += 1;
    else if (isLetter(code)) digits = 0;
    if (digits === minDigits) return false;
  }
  return true;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** The joined digits of all adjacent parts that have the lengths of a usual grouping. */
function groupedNumbers(parts: readonly string[]): string[] {
  return parts.flatMap((_, start) =>
    groupings
      .filter((lengths) => lengths.every((length, index) => parts[start + index]?.length === length))
      .map((lengths) => parts.slice(start, start + lengths.length).join("")),
  );
}

function hasValidCheckDigit(digits: string): boolean {
  const doubled = [...digits].reverse().map((digit, place) => Number(digit) * (1 + (place % 2)));
  const sum = doubled.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}
