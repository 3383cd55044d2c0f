import { expect, test } from "vitest";
import { digestOf, type Entry, hashOf } from "../../src/audit/digest.ts";
import { keys } from "../support/world.ts";

const key = keys.audit;
const entry: Entry = {
  id: 1n,
  actor: "key_1",
  act: "kyc.submit",
  subject: "kyc_1",
  outcome: "done",
  requestId: "req_1",
  address: "192.0.2.1",
  at: new Date("2026-01-01T00:00:00.123Z"),
  txid: 700n,
};
const bare: Entry = { ...entry, id: 2n, actor: "person:ada", subject: null, requestId: null, address: null };
const seal = {
  platformId: "plt_1",
  number: 1,
  firstTxid: 700n,
  firstId: 1n,
  lastTxid: 700n,
  lastId: 2n,
  count: 2,
  digest: digestOf([entry, bare], key),
  previousHash: Buffer.alloc(32),
  sealedAt: new Date("2026-01-01T00:00:05Z"),
};

test("seals that were made once are made the same way for ever", () => {
  expect(seal.digest.toString("hex")).toBe(
    "1c06bda8b3d8fcb9fc9451960bfcacc86049bdba663da4e06e97485e80165e68",
  );
  expect(hashOf(seal, key).toString("hex")).toBe(
    "0378d330690c0d7d41fb89f40cbd479d2b0037484970014a05b69f1e6c557f44",
  );
});

test("a column that comes later changes nothing where it is empty", () => {
  expect(digestOf([{ ...entry, later: null } as Entry, bare], key)).toEqual(seal.digest);
});

test.each<[string, Partial<Entry>]>([
  ["text that moves from one column to the next", { actor: "key_1kyc", act: ".submit" as Entry["act"] }],
  ["text that moves from one column into an empty one", { subject: null, address: "kyc_1" }],
  ["nothing in place of an empty text", { subject: "" }],
  ["another millisecond", { at: new Date("2026-01-01T00:00:00.124Z") }],
  ["another transaction", { txid: 701n }],
])("%s is another entry", (_name, changes) => {
  expect(digestOf([{ ...entry, ...changes }, bare], key)).not.toEqual(seal.digest);
});

test("a time that is none is another entry, and no error", () => {
  expect(digestOf([{ ...entry, at: new Date(Number.NaN) }, bare], key)).not.toEqual(seal.digest);
});

test.each(Object.keys(seal))("a seal with another %s is another seal", (name) => {
  const given = seal[name as keyof typeof seal];
  const other = Buffer.isBuffer(given) ? Buffer.alloc(32, 1) : given instanceof Date ? new Date(0) : "9";
  expect(hashOf({ ...seal, [name]: other }, key)).not.toEqual(hashOf(seal, key));
});
