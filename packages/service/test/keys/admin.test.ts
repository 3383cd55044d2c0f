import { createHash, randomUUID } from "node:crypto";
import { internalPlatformId, type KeyFacts, type NewKey } from "@cardbridge/domain";
import { afterAll, describe, expect, test } from "vitest";
import { apiKeysRepository, keyAdmin } from "../../src/database.ts";
import { openDatabase } from "../support/open-database.ts";
import { makeWorld } from "../support/world.ts";

const { admin: asAdmin, database, platform, urls } = await makeWorld();
const admin = keyAdmin(database);
/** Another process of the service. */
const other = openDatabase({ url: urls.serviceUrl, onError: () => {} });
afterAll(() => other.close());
const elsewhere = apiKeysRepository(other);
const here = apiKeysRepository(database);

const hashOf = (keyId: string) => createHash("sha256").update(keyId).digest();
function aKey(changes: Partial<NewKey> = {}): NewKey {
  const keyId = `key_${randomUUID()}`;
  const details = {
    name: "backend",
    prefix: "cb_live_abcd",
    scopes: ["cards:read"] as const,
    createdBy: "claim:ada",
    expiresAt: null,
  };
  return { keyId, hash: hashOf(keyId), ...details, ...changes };
}
/** Stores a key of a platform. */
async function stored(changes: Partial<NewKey> = {}, platformId?: string) {
  const key = aKey(changes);
  const of = platformId ?? (await platform());
  return { platformId: of, key, keyId: key.keyId, facts: await admin.create(of, key) };
}
const works = async (keyId: string) => {
  const found = [await here.find(hashOf(keyId)), await elsewhere.find(hashOf(keyId))];
  expect(found[0]).toEqual(found[1]);
  return found[0] !== null;
};
const expire = (keyId: string) => asAdmin("update api_keys set expires_at = now() where id = $1", [keyId]);
const statesOf = async (platformId: string) =>
  (await admin.list({ platformId, limit: 10 })).map(({ state }) => state);
const conflict = (text: string) => ({
  code: "KEY_CONFLICT",
  details: { violations: [{ rule: "live-keys", message: expect.stringContaining(text) }] },
});
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe("creating a key", () => {
  test("returns all fields except the hash, and the key can be found", async () => {
    const expiresAt = "2999-01-01T00:00:00.000Z";
    const { platformId, keyId, facts } = await stored({ expiresAt, scopes: ["kyc:read", "cards:read"] });
    const expected: KeyFacts = {
      keyId,
      platformId,
      name: "backend",
      prefix: "cb_live_abcd",
      scopes: ["cards:read", "kyc:read"],
      state: "live",
      createdAt: expect.stringMatching(/^20.*Z$/),
      createdBy: "claim:ada",
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    };
    expect(facts).toEqual(expected);
    expect(await works(keyId)).toBe(true);
    const used = { ...expected, lastUsedAt: expect.stringMatching(/Z$/) };
    expect(await admin.show(keyId)).toEqual(used);
    expect(await admin.list({ platformId, limit: 10 })).toEqual([used]);
  });

  test("is rejected while a live key has the name", async () => {
    const { platformId, keyId } = await stored();
    await expect(admin.create(platformId, aKey())).rejects.toMatchObject(conflict("rotate it"));
    await stored({ name: "another" }, platformId);
    await stored();
    await admin.revoke(keyId);
    const second = await stored({}, platformId);
    await expire(second.keyId);
    await stored({}, platformId);
  });

  test("succeeds once for concurrent calls with the same name", async () => {
    const platformId = await platform();
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => admin.create(platformId, aKey())));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await statesOf(platformId)).toHaveLength(1);
  });

  test("with scopes of operators is for internal apps only", async () => {
    const internal = { scopes: ["ops.audit"] as const };
    await expect(stored(internal)).rejects.toMatchObject({ constraint: "api_keys_operators_are_internal" });
    const { key, keyId } = await stored({ ...internal, prefix: "cb_int_abcd" }, internalPlatformId);
    const found = { keyId, platformId: internalPlatformId, scopes: ["ops.audit"] };
    expect(await here.find(key.hash)).toEqual(found);
  });
});

describe("rotating a key", () => {
  async function rotated(overlapHours: number, changes: Partial<NewKey> = {}) {
    const { platformId, keyId: old } = await stored(changes);
    const next = aKey();
    const result = await admin.rotate(old, next, overlapHours);
    return { platformId, old, next: next.keyId, nextKey: next, ...result };
  }

  test("keeps both keys live until the old key expires", async () => {
    const { platformId, old, next, predecessor, successor } = await rotated(24);
    expect(successor).toMatchObject({ keyId: next, platformId, state: "live", expiresAt: null });
    expect(predecessor).toMatchObject({ keyId: old, state: "live" });
    const left = Date.parse(predecessor.expiresAt ?? "") - Date.now();
    expect(Math.abs(left / 3_600_000 - 24)).toBeLessThan(0.1);
    expect([await works(old), await works(next)]).toEqual([true, true]);
    await expire(old);
    expect([await works(old), await works(next)]).toEqual([false, true]);
    expect(await statesOf(platformId)).toEqual(["live", "expired"]);
  });

  test("expires the old key immediately without an overlap, and never extends its life", async () => {
    const { old, next, predecessor } = await rotated(0);
    expect(predecessor.state).toBe("expired");
    expect([await works(old), await works(next)]).toEqual([false, true]);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect((await rotated(24, { expiresAt: soon })).predecessor.expiresAt).toBe(soon);
  });

  test("leaves at most two live keys of a name", async () => {
    const { platformId, old, next } = await rotated(24);
    for (const keyId of [old, next])
      await expect(admin.rotate(keyId, aKey(), 24)).rejects.toMatchObject(conflict("Two live keys"));
    await admin.revoke(old);
    await expect(admin.rotate(old, aKey(), 24)).rejects.toMatchObject(conflict("not live"));
    const both = await Promise.allSettled([1, 2].map(() => admin.rotate(next, aKey(), 24)));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await statesOf(platformId)).sort()).toEqual(["live", "live", "revoked"]);
  });

  test("changes nothing when the successor cannot be created", async () => {
    const { nextKey } = await rotated(24);
    const { keyId } = await stored();
    await expect(admin.rotate(keyId, nextKey, 0)).rejects.toMatchObject({ constraint: "api_keys_pkey" });
    expect(await works(keyId)).toBe(true);
  });
});

test("an unknown platform or key is not found", async () => {
  await expect(admin.create("plt_none", aKey())).rejects.toMatchObject({ code: "PLATFORM_NOT_FOUND" });
  await expect(admin.rotate("key_none", aKey(), 24)).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
  expect([await admin.show("key_none"), await admin.revoke("key_none")]).toEqual([null, null]);
});

test("a revoked key is not found in any process, and revoking it again changes nothing", async () => {
  const { keyId } = await stored();
  expect(await works(keyId)).toBe(true);
  const revoked = await admin.revoke(keyId);
  expect(await works(keyId)).toBe(false);
  expect(revoked).toMatchObject({ state: "revoked", revokedAt: expect.stringMatching(/Z$/) });
  expect(await admin.revoke(keyId)).toEqual(revoked);
});

describe("listing keys", () => {
  test("is by platform and name, newest first, up to a limit", async () => {
    const [one = "", two = ""] = [await platform(), await platform()].sort();
    const first = await stored({ name: "b" }, one);
    const second = await stored({ name: "a" }, two);
    const third = aKey({ name: "b" });
    await admin.rotate(first.keyId, third, 1);
    const expected = [third.keyId, first.keyId, second.keyId];
    const listed = async (query: Parameters<typeof admin.list>[0]) =>
      (await admin.list(query)).map(({ keyId }) => keyId).filter((id) => expected.includes(id));
    expect(await listed({ limit: 1000 })).toEqual(expected);
    expect(await listed({ platformId: two, limit: 10 })).toEqual([second.keyId]);
    expect(await admin.list({ limit: 1 })).toHaveLength(1);
  });

  test("filters by the state, the expiry and the last use", async () => {
    const platformId = await platform();
    const create = async (name: string, expiresAt: string | null = null) =>
      (await stored({ name, expiresAt }, platformId)).keyId;
    const used = await create("used");
    const soon = await create("soon", inDays(6));
    const late = await create("late", inDays(60));
    await expire(await create("expired", inDays(1)));
    await admin.revoke(await create("revoked", inDays(1)));
    await create("unused");
    await asAdmin("update api_keys set created_at = now() - interval '100 days' where platform_id = $1", [
      platformId,
    ]);
    const use = (ids: string[], days: number) =>
      asAdmin(`update api_keys set last_used_at = now() - interval '${days} days' where id = any($1)`, [ids]);
    await use([used, soon], 20);
    await use([late], 0);
    const all = ["expired", "late", "revoked", "soon", "unused", "used"];
    for (const { filter, names } of [
      { filter: {}, names: all },
      { filter: { state: "live" }, names: ["late", "soon", "unused", "used"] },
      { filter: { state: "expired" }, names: ["expired"] },
      { filter: { state: "revoked" }, names: ["revoked"] },
      { filter: { expiresWithinDays: 7 }, names: ["soon"] },
      { filter: { expiresWithinDays: 90 }, names: ["late", "soon"] },
      { filter: { unusedDays: 30 }, names: ["unused"] },
      { filter: { unusedDays: 10 }, names: ["soon", "unused", "used"] },
      { filter: { unusedDays: 10, expiresWithinDays: 7 }, names: ["soon"] },
      { filter: { state: "expired", unusedDays: 0 }, names: [] },
      { filter: { state: "live", limit: 1 }, names: ["late"] },
    ] as const) {
      const listed = await admin.list({ platformId, limit: 100, ...filter });
      expect([filter, listed.map(({ name }) => name)]).toEqual([filter, names]);
    }
  });

  test("finds those that a person made, on all platforms, with whichever key the person called", async () => {
    const make = async (createdBy: string, platformId?: string) =>
      (await stored({ name: randomUUID(), createdBy }, platformId)).keyId;
    const ofAda = [await make("per_ada/key_1", internalPlatformId), await make("per_ada/key_2")];
    await make("per_adam/key_1", internalPlatformId);
    await make("key_1");
    const made = async (createdBy: string) => {
      const keys = await admin.list({ createdBy, state: "live", limit: 10 });
      return keys.map(({ keyId }) => keyId).sort();
    };
    expect(await made("per_ada")).toEqual(ofAda.toSorted());
    await admin.revoke(ofAda[0] ?? "");
    expect(await made("per_ada")).toEqual(ofAda.slice(1));
    expect(await made("per_none")).toEqual([]);
  });
});
