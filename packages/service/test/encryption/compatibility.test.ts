import { expect, test } from "vitest";
import { blindIndex } from "../../src/encryption/blind-index.ts";
import { unwrapDataKey } from "../../src/encryption/data-key.ts";
import { decryptData } from "../../src/encryption/personal-data.ts";
import { decryptBlob, unwrapByUser } from "../../src/files/file-key.ts";
import { keysOf, personalDataKeysOf } from "../support/world.ts";

/*
 * Databases contain data that earlier versions encrypted, derived and indexed. A change of a layout, of associated data
 * or of a key's purpose would make that data unreadable, so these bytes must never change.
 */
const keys = { ...keysOf(1), ...personalDataKeysOf(1) };
const dataKey = Buffer.alloc(32, 9);
const bytes = (hex: string) => Buffer.from(hex, "hex");

test.each([
  ["fingerprints", "a2060f6a9425d922379e44fd7d8b9e78e6b1e0874b7c6e23deb04f023b6f4ed1"],
  ["indexes", "2cb3fe4852c5cc233fa803b3254baac9ff23660ba550e7ecad2fe4ecd33be4ae"],
  ["audit", "b3c1dee9cb7ee291ee5852c97d9633136e34d41ec8d987f44174c7bb01c6efe8"],
  ["urls", "730d2fefa1e1a8d07534da43f94b5dc33567a683c94a5ba48ab3177f4e3a019e"],
] as const)("the derived key for %s does not change", (name, hex) => {
  expect(keys[name].toString("hex")).toBe(hex);
});

test("a user's wrapped data key can be unwrapped and decrypts the data encrypted under it", () => {
  const wrapped =
    "0182290bd0699607596f9c6170a2e1c1dd0949dd347840ae0ca621ccac124c7efbb28edd0e4444660b62e48ebc13ab742c8b28a42fee01fb0b7771040a";
  const owner = { platformId: "plt_1", userId: "usr_1" };
  expect(unwrapDataKey({ dataKey: bytes(wrapped), keyVersion: 1 }, owner, keys.ring)).toEqual(dataKey);
  const encrypted = "011193d3f84151b883f765c1b5f185d944b34b5b5961ea7551631701727cfe99257f405e";
  const row = { platformId: "plt_1", table: "kyc_records", rowId: "kyc_1" } as const;
  expect(decryptData(bytes(encrypted), dataKey, row)).toEqual({ a: 1 });
});

test("a file's key can be unwrapped with its user's data key and decrypts the blob", () => {
  const file = { platformId: "plt_1", fileId: "file_1" };
  const wrapped =
    "01b4cdda0ba0e0a3383f8a2d5758d9ad2a1460ceae67c24bbe893f4ca55536f8aadc2c4a56dd43d5851ec687c99733e271d3e9382097f40660e3b382c5";
  expect(unwrapByUser(bytes(wrapped), file, dataKey)).toEqual(dataKey);
  const blob = "01956e0502764278c94ccb090fda1cde9ad2005b244eff55d39fcd24c93ee1736038e429";
  expect(decryptBlob(bytes(blob), dataKey, file).toString()).toBe("picture");
});

test("a blind index does not change", () => {
  const index = "f6f9dcf4410b42e561fd805965fdfd931c7d011647c66fdc6d1f27e58bd8041e";
  expect(blindIndex(keys, "plt_1", { memberId: "m" }).toString("hex")).toBe(index);
});
