import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blindIndex } from "../../src/sealing/blind-index.ts";
import { mintDataKey, unwrapDataKey, wrapDataKey } from "../../src/sealing/data-key.ts";
import { framed } from "../../src/sealing/framed.ts";
import { parseKeyRing } from "../../src/sealing/key-ring.ts";
import { type Home, open, seal } from "../../src/sealing/seal.ts";
import { keysOf } from "../support/world.ts";

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const homes: fc.Arbitrary<Home> = fc.record({
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

describe("what is sealed", () => {
  test("opens with its key at its home, whatever it is", () => {
    fc.assert(
      fc.property(fc.uint8Array(), bytes(32), homes, (plain, key, home) => {
        expect(open(seal(plain, key, home), key, home)).toEqual(Buffer.from(plain));
      }),
    );
  });

  test("opens under no other key, and at no other home", () => {
    const changes: fc.Arbitrary<Partial<Home>> = fc.oneof(
      fc.record({ platformId: fc.string() }),
      fc.record({ table: fc.constantFrom("users" as const, "kyc_records" as const) }),
      fc.record({ rowId: fc.string() }),
      fc.record({ keyVersion: fc.nat() }),
    );
    fc.assert(
      fc.property(
        fc.uint8Array(),
        bytes(32),
        bytes(32),
        homes,
        changes,
        (plain, key, other, home, change) => {
          fc.pre(!Buffer.from(key).equals(Buffer.from(other)));
          const elsewhere = { ...home, ...change };
          fc.pre(JSON.stringify(elsewhere) !== JSON.stringify(home));
          const sealed = seal(plain, key, home);
          expect(refused(() => open(sealed, other, home))).toMatchObject(notAuthentic);
          expect(refused(() => open(sealed, key, elsewhere))).toMatchObject(notAuthentic);
        },
      ),
    );
  });

  test("opens no more when one bit of it is another, or its end is missing", () => {
    fc.assert(
      fc.property(fc.uint8Array(), bytes(32), homes, fc.nat(), fc.nat(7), (plain, key, home, at, bit) => {
        const sealed = seal(plain, key, home);
        const cut = sealed.subarray(0, at % sealed.length);
        expect(refused(() => open(cut, key, home))).toMatchObject(notAuthentic);
        sealed[at % sealed.length] = (sealed[at % sealed.length] ?? 0) ^ (1 << bit);
        expect(refused(() => open(sealed, key, home))).toMatchObject(notAuthentic);
      }),
    );
  });

  test("never looks the same twice, and shows nothing but its length", () => {
    const home: Home = { platformId: "plt", table: "users", rowId: "usr", keyVersion: 1 };
    const plain = Buffer.from("Ada Lovelace");
    const sealed = Array.from({ length: 1_000 }, () => seal(plain, Buffer.alloc(32, 7), home));
    expect(new Set(sealed.map((one) => one.subarray(1, 13).toString("hex"))).size).toBe(1_000);
    for (const one of sealed) {
      expect(one).toHaveLength(1 + 12 + 16 + plain.length);
      expect(one.includes(plain)).toBe(false);
    }
  });
});

test("texts are framed so that no two lists of them are the same bytes", () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      fc.pre(JSON.stringify(one.map(utf8)) !== JSON.stringify(other.map(utf8)));
      expect(framed(...one).equals(framed(...other))).toBe(false);
    }),
  );
  expect(framed("ab", "c").equals(framed("a", "bc"))).toBe(false);
});
const utf8 = (text: string) => Buffer.from(text).toString("hex");

describe("a data key", () => {
  const owner = { platformId: "plt", userId: "usr" };
  const ring = (...versions: number[]) => keysOf(...versions).ring;

  test("is wrapped under the ring's first version, and unwraps for its owner alone", () => {
    const dataKey = mintDataKey();
    const wrapped = wrapDataKey(dataKey, owner, ring(2, 1));
    expect(wrapped.keyVersion).toBe(2);
    expect(unwrapDataKey(wrapped, owner, ring(1, 2))).toEqual(dataKey);
    for (const other of [
      { ...owner, userId: "usr_2" },
      { ...owner, platformId: "plt_2" },
    ]) {
      expect(refused(() => unwrapDataKey(wrapped, other, ring(2)))).toMatchObject(notAuthentic);
    }
  });

  test("does not unwrap under a version that the ring lacks, or holds another key under", () => {
    const wrapped = wrapDataKey(mintDataKey(), owner, ring(1));
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
  const { indexes } = keysOf(1);
  const of = (platformId: string, who: Parameters<typeof blindIndex>[2], key = indexes) =>
    blindIndex(key, platformId, who).toString("hex");

  test("is the same for an e-mail in any case, and for a member id as it is", () => {
    expect(of("plt", { email: "Ada@Example.com" })).toBe(of("plt", { email: "aDA@example.COM" }));
    expect(of("plt", { memberId: "Ada" })).not.toBe(of("plt", { memberId: "ada" }));
  });

  test("is another one on another platform, for the other name, and under another key", () => {
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

  test("has versions in any order, of which the first is in use", () => {
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
    ["a version of nought", `0:${one}`],
    ["a version that is no number", `one:${one}`],
    ["a version without an end", `1234567890:${one}`],
    ["a short key", `1:${Buffer.alloc(31, 1).toString("base64")}`],
    ["a long key", `1:${Buffer.alloc(33, 1).toString("base64")}`],
    ["a key that is not base64", `1:${"!".repeat(43)}=`],
    ["spare bits in a key", `1:${one.slice(0, 42)}F=`],
    ["an empty entry", `1:${one},`],
    ["a version twice", `1:${one},1:${two}`],
    ["a key twice", `1:${one},2:${one}`],
  ])("with %s is refused in words that quote nothing", (_name, text) => {
    const error = refused(() => parseKeyRing(text));
    expect(error).toBeInstanceOf(Error);
    const { message } = error as Error;
    expect(message).toMatch(/\.$/);
    for (const key of [one, two, "!!!"]) expect(message).not.toContain(key.slice(0, 3));
  });
});
