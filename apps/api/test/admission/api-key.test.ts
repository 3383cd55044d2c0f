import fc from "fast-check";
import { expect, it } from "vitest";
import {
  environmentOf,
  generateApiKey,
  hashApiKey,
  isWellFormed,
  keyGenerator,
} from "../../src/admission/api-key.ts";

it("creates well-formed, unique keys", () => {
  const keys = Array.from({ length: 200 }, () => generateApiKey("test"));
  expect(new Set(keys).size).toBe(200);
  expect(keys.every((key) => isWellFormed(key) && key.startsWith("cb_test_"))).toBe(true);
  expect(hashApiKey(keys[0] ?? "")).toHaveLength(32);
});

it.each([
  ["live", "platform", "cb_live_"],
  ["test", "platform", "cb_test_"],
  ["live", "internal", "cb_int_live_"],
  ["test", "internal", "cb_int_test_"],
] as const)("a %s key of an owner of the kind %s begins with %s", (environment, owner, start) => {
  const { key, ...kept } = keyGenerator(environment)(owner);
  expect(isWellFormed(key)).toBe(true);
  expect(environmentOf(key)).toBe(environment);
  expect(kept).toEqual({ prefix: key.slice(0, start.length + 4), hash: hashApiKey(key) });
  expect(key.startsWith(start)).toBe(true);
  expect(isWellFormed(key.replace(environment, "int"))).toBe(false);
});

it("a key of a cell begins with its letter, and has no other length", () => {
  const { key, prefix } = keyGenerator("live", "b")("internal");
  expect([key.startsWith("cb_int_live_b"), isWellFormed(key)]).toEqual([true, true]);
  expect(prefix).toMatch(/^cb_int_live_b...$/);
});

it("detects a key with one changed character", () => {
  const key = generateApiKey("test");
  const place = fc.integer({ min: 8, max: key.length - 1 });
  fc.assert(
    fc.property(place, fc.constantFrom(..."0123456789abcdefXYZ"), (index, character) => {
      fc.pre(key[index] !== character);
      expect(isWellFormed(key.slice(0, index) + character + key.slice(index + 1))).toBe(false);
    }),
  );
});
