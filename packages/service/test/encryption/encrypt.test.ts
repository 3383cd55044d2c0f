import type { UserIdentifier } from "@cardbridge/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blindIndex } from "../../src/encryption/blind-index.ts";
import { createDataKey, unwrapDataKey, wrapDataKey } from "../../src/encryption/data-key.ts";
import { type AssociatedData, decrypt, encrypt } from "../../src/encryption/encrypt.ts";
import { parseKeyRing } from "../../src/encryption/key-ring.ts";
import { lengthPrefixed } from "../../src/encryption/length-prefixed.ts";
import { personalDataKeysOf } from "../support/world.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const associatedData: fc.Arbitrary<AssociatedData> = fc.record({
  platformId: fc.string(),
  table: fc.constantFrom("users", "kyc_records"),
  rowId: fc.string(),
  keyVersion: fc.nat(),
});
const notAuthentic = { code: "SERVICE_UNAVAILABLE", details: { cause: { message: "not-authentic" } } };
const refused = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("an encrypted value", () => {
  test("is decrypted only whole, with its key and its associated data", () => {
    const changes: fc.Arbitrary<Partial<AssociatedData>> = fc.oneof(
      fc.record({ platformId: fc.string() }),
      fc.record({ table: fc.constantFrom("users" as const, "kyc_records" as const) }),
      fc.record({ rowId: fc.string() }),
      fc.record({ keyVersion: fc.nat() }),
    );
    const given = [
      fc.uint8Array(),
      bytes(32),
      bytes(32),
      associatedData,
      changes,
      fc.nat(),
      fc.nat(7),
    ] as const;
    fc.assert(
      fc.property(...given, (plain, key, other, data, change, at, bit) => {
        fc.pre(!Buffer.from(key).equals(Buffer.from(other)));
        const elsewhere = { ...data, ...change };
        fc.pre(JSON.stringify(elsewhere) !== JSON.stringify(data));
        const encrypted = encrypt(plain, key, data);
        expect(decrypt(encrypted, key, data)).toEqual(Buffer.from(plain));
        const cut = encrypted.subarray(0, at % encrypted.length);
        const changed = Buffer.from(encrypted);
        changed[at % changed.length] = (changed[at % changed.length] ?? 0) ^ (1 << bit);
        for (const wrong of [
          () => decrypt(encrypted, other, data),
          () => decrypt(encrypted, key, elsewhere),
          () => decrypt(cut, key, data),
          () => decrypt(changed, key, data),
        ])
          expect(refused(wrong)).toMatchObject(notAuthentic);
      }),
    );
  });

  test("is different every time and reveals only the length of the value", () => {
    const data: AssociatedData = { platformId: "plt", table: "users", rowId: "usr", keyVersion: 1 };
    const plain = Buffer.from("Ada Lovelace");
    const encrypted = Array.from({ length: 1_000 }, () => encrypt(plain, Buffer.alloc(32, 7), data));
    expect(new Set(encrypted.map((one) => one.subarray(1, 13).toString("hex"))).size).toBe(1_000);
    for (const one of encrypted) {
      expect(one).toHaveLength(1 + 12 + 16 + plain.length);
      expect(one.includes(plain)).toBe(false);
    }
  });
});

test("two different lists of texts never have the same encoding", () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      fc.pre(JSON.stringify(one.map(utf8)) !== JSON.stringify(other.map(utf8)));
      expect(lengthPrefixed(...one).equals(lengthPrefixed(...other))).toBe(false);
    }),
  );
  expect(lengthPrefixed("ab", "c").equals(lengthPrefixed("a", "bc"))).toBe(false);
});
const utf8 = (text: string) => Buffer.from(text).toString("hex");

describe("a data key", () => {
  const owner = { platformId: "plt", userId: "usr" };
  const ring = (...versions: number[]) => personalDataKeysOf(...versions).ring;

  test("is wrapped under the ring's first version, and unwrapped for its owner only", () => {
    const dataKey = createDataKey();
    const wrapped = wrapDataKey(dataKey, owner, ring(2, 1));
    expect(wrapped.keyVersion).toBe(2);
    expect(unwrapDataKey(wrapped, owner, ring(1, 2))).toEqual(dataKey);
    for (const other of [{ userId: "usr_2" }, { platformId: "plt_2" }])
      expect(refused(() => unwrapDataKey(wrapped, { ...owner, ...other }, ring(2)))).toMatchObject(
        notAuthentic,
      );
  });

  test("cannot be unwrapped when the ring lacks its version or has another key for it", () => {
    const wrapped = wrapDataKey(createDataKey(), owner, ring(1));
    expect(refused(() => unwrapDataKey(wrapped, owner, ring(2)))).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      details: { retryAfterSeconds: 5, cause: { message: "key-version-unknown" } },
    });
    const otherKey = parseKeyRing(`1:${Buffer.alloc(32, 9).toString("base64")}`);
    expect(refused(() => unwrapDataKey(wrapped, owner, otherKey))).toMatchObject(notAuthentic);
    expect(refused(() => unwrapDataKey({ ...wrapped, keyVersion: 2 }, owner, ring(1, 2)))).toMatchObject(
      notAuthentic,
    );
  });
});

describe("a blind index", () => {
  const { indexes } = personalDataKeysOf(1);
  const of = (platformId: string, who: UserIdentifier, key = indexes) =>
    blindIndex({ indexes: key }, platformId, who).toString("hex");

  test("is the same for an e-mail in any case, but differs for a member id in another case", () => {
    expect(of("plt", { email: "Ada@Example.com" })).toBe(of("plt", { email: "aDA@example.COM" }));
    expect(of("plt", { memberId: "Ada" })).not.toBe(of("plt", { memberId: "ada" }));
  });

  test("differs by platform, by kind of name, and by key", () => {
    const all = [
      of("plt", { email: "a@b.cc" }),
      of("plt", { memberId: "a@b.cc" }),
      of("plt_2", { email: "a@b.cc" }),
      of("plt", { email: "a@b.cc" }, Buffer.alloc(32)),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("a key ring", () => {
  const one = Buffer.alloc(32, 1).toString("base64");
  const two = Buffer.alloc(32, 2).toString("base64");

  test("accepts versions in any order, and the first is current", () => {
    const ring = parseKeyRing(` 3:${one}, 7:${two}`);
    expect(ring.current).toBe(3);
    expect([...ring.keys]).toEqual([
      [3, Buffer.alloc(32, 1)],
      [7, Buffer.alloc(32, 2)],
    ]);
  });

  test.each([
    ["nothing", ""],
    ["no version", one],
    ["version 0", `0:${one}`],
    ["a version that is not a number", `one:${one}`],
    ["a version with too many digits", `1234567890:${one}`],
    ["a short key", `1:${Buffer.alloc(31, 1).toString("base64")}`],
    ["a long key", `1:${Buffer.alloc(33, 1).toString("base64")}`],
    ["a key that is not base64", `1:${"!".repeat(43)}=`],
    ["spare bits in a key", `1:${one.slice(0, 42)}F=`],
    ["an empty entry", `1:${one},`],
    ["a version twice", `1:${one},1:${two}`],
    ["a key twice", `1:${one},2:${one}`],
  ])("with %s is rejected with a message that does not quote it", (_name, text) => {
    const error = refused(() => parseKeyRing(text));
    expect(error).toBeInstanceOf(Error);
    const { message } = error as Error;
    expect(message).toMatch(/\.$/);
    for (const key of [one, two, "!!!"]) expect(message).not.toContain(key.slice(0, 3));
  });
});
