import { expect, test } from "vitest";
import { fingerprint } from "../../src/encryption/fingerprint.ts";

test("equal values have equal fingerprints, whatever the order of their keys", () => {
  const one = fingerprint({ a: 1, list: [{ x: 1, y: 2 }], absent: undefined }, "key");
  const other = fingerprint({ list: [{ y: 2, x: 1 }], a: 1 }, "key");
  expect(one.equals(other)).toBe(true);
  expect(one).toHaveLength(32);
});

test("different values have different fingerprints: the order of a list and the position of a value count", () => {
  const values = [
    { a: [1, 2] },
    { a: [2, 1] },
    { a: "1" },
    { a: 1 },
    { b: 1 },
    { a: { b: 1 } },
    { a: null },
    {},
  ];
  const prints = new Set(values.map((value) => fingerprint(value, "key").toString("hex")));
  expect(prints.size).toBe(values.length);
});

test("another key results in another fingerprint", () => {
  expect(fingerprint({ a: 1 }, "one").equals(fingerprint({ a: 1 }, "other"))).toBe(false);
});
