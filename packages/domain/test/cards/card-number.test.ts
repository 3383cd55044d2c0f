import fc from "fast-check";
import { expect, it } from "vitest";
import { holdsCardNumber, isCardNumber } from "../../src/index.ts";

it("recognizes every number of 12 to 19 digits with a valid check digit, with any separator", () => {
  const digits = fc.array(fc.constantFrom(..."0123456789"), { minLength: 11, maxLength: 18 });
  const separators = fc.constantFrom("", " ", "-", "\u00a0", " - ", ".");
  fc.assert(
    fc.property(digits, separators, (start, separator) => {
      const numbers = [..."0123456789"].map((last) => [...start, last].join(separator));
      expect(numbers.filter(isCardNumber)).toHaveLength(1);
      expect(numbers.every((number) => holdsCardNumber(`ADA ${number} EXAMPLE`))).toBe(true);
    }),
  );
});

it.each([
  "card_4242424242424242",
  "4242 4242 4242 4242 737",
  "pan=4242424242424242;cvv=737",
  "3782 822463 10005/1234",
  "acct:3056.930902.5904",
  "acct 6212 3456 7890 1231 136",
])("recognizes a card number within an id: %s", (id) => {
  expect(isCardNumber(id)).toBe(true);
});

it("accepts an id of digits that is not a card number", () => {
  expect(["4242424242424242", "378282246310005"].map(isCardNumber)).toEqual([true, true]);
  expect(["4242424242424241", "100000000001"].map(isCardNumber)).toEqual([false, false]);
});
