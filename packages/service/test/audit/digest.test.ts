import { expect, test } from "vitest";
import { digestOf, type Entry, hashOf, leafOf, merkleRootOf } from "../../src/audit/digest.ts";
import { keys } from "../support/world.ts";

const key = keys.audit;
const entry: Entry = {
  id: 1n,
  actor: "key_1",
  operation: "kyc.submit",
  subject: "kyc_1",
  outcome: "done",
  requestId: "req_1",
  address: "192.0.2.1",
  at: new Date("2026-01-01T00:00:00.123Z"),
  txid: 700n,
  count: null,
  purpose: null,
};
const bare: Entry = { ...entry, id: 2n, actor: "person:ada", subject: null, requestId: null, address: null };
const checkpoint = {
  platformId: "plt_1",
  number: 1,
  firstTxid: 700n,
  firstId: 1n,
  lastTxid: 700n,
  lastId: 2n,
  count: 2,
  digest: digestOf([entry, bare], key),
  previousHash: Buffer.alloc(32),
  root: null,
  createdAt: new Date("2026-01-01T00:00:05Z"),
};

test("the digest and the hash of a checkpoint are stable across versions", () => {
  expect(checkpoint.digest.toString("hex")).toBe(
    "42da9d3d7b7d0b4fdfe2857410a313ac74b28b340402044249c33374c246f942",
  );
  expect(hashOf(checkpoint, key).toString("hex")).toBe(
    "64e38b59cd88c5da64ae338eab788ffbcd973f2e1c2b86f63876890ad3d757d7",
  );
});

test("the root of a checkpoint is stable across versions, and covers the platform", () => {
  const rootOf = (platformId: string) => merkleRootOf(platformId, [entry, bare]).toString("hex");
  expect(rootOf("plt_1")).toBe("252d580064dfb663b887d650c4cbffdaa719be6df6bef83713c63936b0d8a3b4");
  expect(rootOf("plt_2")).not.toBe(rootOf("plt_1"));
  expect(leafOf("plt_1", bare).toString("latin1")).toContain("platformId\0\0\0\x05plt_1");
});

test("a column that is added later does not change the digest while it is null", () => {
  expect(digestOf([{ ...entry, later: null } as Entry, bare], key)).toEqual(checkpoint.digest);
});

test.each<[string, Partial<Entry>]>([
  ["text that moves from one column to the next", { actor: "key_1kyc", operation: ".submit" }],
  ["text that moves from one column into an empty one", { subject: null, address: "kyc_1" }],
  ["nothing in place of an empty text", { subject: "" }],
  ["another millisecond", { at: new Date("2026-01-01T00:00:00.124Z") }],
  ["another transaction", { txid: 701n }],
])("%s changes the digest", (_name, changes) => {
  expect(digestOf([{ ...entry, ...changes }, bare], key)).not.toEqual(checkpoint.digest);
});

test("an invalid time changes the digest and throws no error", () => {
  expect(digestOf([{ ...entry, at: new Date(Number.NaN) }, bare], key)).not.toEqual(checkpoint.digest);
});

test.each(Object.keys(checkpoint))("a different %s changes the hash of a checkpoint", (name) => {
  const value = checkpoint[name as keyof typeof checkpoint];
  const other = Buffer.isBuffer(value) ? Buffer.alloc(32, 1) : value instanceof Date ? new Date(0) : "9";
  expect(hashOf({ ...checkpoint, [name]: other }, key)).not.toEqual(hashOf(checkpoint, key));
});
