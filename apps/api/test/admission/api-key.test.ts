import fc from "fast-check";
import { expect, it } from "vitest";
import { generateApiKey, generateKey, hashApiKey, isWellFormed } from "../../src/admission/api-key.ts";
import { demoKeys, isDemoKey } from "../../src/admission/demo-keys.ts";

it("creates well-formed, unique keys", () => {
  const keys = Array.from({ length: 200 }, () => generateApiKey("live"));
  expect(new Set(keys).size).toBe(200);
  expect(keys.every((key) => isWellFormed(key) && key.startsWith("cb_live_"))).toBe(true);
  expect(hashApiKey(keys[0] ?? "")).toHaveLength(32);
});

it.each(["live", "test", "int"] as const)(
  "generates keys that begin with cb_%s_, and stores only their prefix and hash",
  (kind) => {
    const { key, ...kept } = generateKey(kind);
    expect(isWellFormed(key)).toBe(true);
    expect(kept).toEqual({ prefix: key.slice(0, `cb_${kind}_`.length + 4), hash: hashApiKey(key) });
    expect(isWellFormed(key.replace(kind, kind === "int" ? "live" : "int"))).toBe(false);
  },
);

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

it("has constant demo keys, because examples and external checks use them", () => {
  expect(demoKeys).toEqual({
    first: "cb_test_DemoPlatformOne0000000003IZXaY",
    second: "cb_test_DemoPlatformTwo0000000000CltYJ",
  });
  expect(isDemoKey(generateApiKey("test"))).toBe(false);
});
