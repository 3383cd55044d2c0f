/**
 * Whether an id, as a whole, is a full card number: 12 to 19 digits, whatever stands between them, with a
 * right check digit (Luhn). Other runs of digits, or digits within letters, are an id.
 */
export function isCardNumber(id: string): boolean {
  const digits = compact(id);
  return /^[0-9]{12,19}$/.test(digits) && hasCheckDigit(digits);
}

/** Whether a text that people write or read could hold a full card number anywhere. */
export function holdsCardNumber(text: string): boolean {
  return /\p{Nd}{12}/u.test(compact(text));
}

function compact(text: string): string {
  return text.normalize("NFKC").replace(/[^\p{L}\p{N}]/gu, "");
}

function hasCheckDigit(digits: string): boolean {
  const weighed = [...digits].reverse().map((digit, place) => Number(digit) * (1 + (place % 2)));
  const sum = weighed.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}
