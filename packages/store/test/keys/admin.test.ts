import { createHash, randomUUID } from "node:crypto";
import { internalPlatformId, type KeyFacts, type NewKey } from "@cardbridge/domain";
import { afterAll, describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { apiKeysRepository, keyAdmin } from "../../src/index.ts";
import { openDatabase } from "../support/open-database.ts";
import { makeWorld } from "../support/world.ts";

const { database, platform, urls } = await makeWorld();
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
const works = async (keyId: string) => {
  const found = [await here.find(hashOf(keyId)), await elsewhere.find(hashOf(keyId))];
  expect(found[0]).toEqual(found[1]);
  return found[0] !== null;
};
const asAdmin = (text: string) => withConnection(urls.adminUrl, (client) => client.query(text));
const expire = (keyId: string) => asAdmin(`update api_keys set expires_at = now() where id = '${keyId}'`);
const conflict = (text: string) => ({
  code: "KEY_CONFLICT",
  details: { violations: [{ rule: "live-keys", message: expect.stringContaining(text) }] },
});

describe("creating a key", () => {
  test("returns all fields except the hash, and the key can be found", async () => {
    const platformId = await platform();
    const key = aKey({ expiresAt: "2999-01-01T00:00:00.000Z", scopes: ["kyc:read", "cards:read"] });
    const facts: KeyFacts = {
      keyId: key.keyId,
      platformId,
      name: "backend",
      prefix: "cb_live_abcd",
      scopes: ["cards:read", "kyc:read"],
      state: "live",
      createdAt: expect.stringMatching(/^20.*Z$/),
      createdBy: "claim:ada",
      expiresAt: "2999-01-01T00:00:00.000Z",
      revokedAt: null,
      lastUsedAt: null,
    };
    expect(await admin.create(platformId, key)).toEqual(facts);
    expect(await works(key.keyId)).toBe(true);
    const used = { ...facts, lastUsedAt: expect.stringMatching(/Z$/) };
    expect(await admin.show(key.keyId)).toEqual(used);
    expect(await admin.list({ platformId, limit: 10 })).toEqual([used]);
  });

  test("is rejected for an unknown platform", async () => {
    await expect(admin.create("plt_none", aKey())).rejects.toMatchObject({ code: "PLATFORM_NOT_FOUND" });
  });

  test("is rejected while a live key has the name", async () => {
    const platformId = await platform();
    const first = aKey();
    await admin.create(platformId, first);
    await expect(admin.create(platformId, aKey())).rejects.toMatchObject(conflict("rotate it"));
    await admin.create(platformId, aKey({ name: "another" }));
    await admin.create(await platform(), aKey());
    await admin.revoke(first.keyId);
    const second = aKey();
    await admin.create(platformId, second);
    await expire(second.keyId);
    await admin.create(platformId, aKey());
  });

  test("succeeds once for concurrent calls with the same name", async () => {
    const platformId = await platform();
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => admin.create(platformId, aKey())));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await admin.list({ platformId, limit: 10 })).toHaveLength(1);
  });
});

describe("rotating a key", () => {
  async function rotated(overlapHours: number, changes: Partial<NewKey> = {}) {
    const platformId = await platform();
    const [old, next] = [aKey(changes), aKey()];
    await admin.create(platformId, old);
    return { platformId, old, next, result: await admin.rotate(old.keyId, next, overlapHours) };
  }

  test("keeps both keys live until the old key expires", async () => {
    const { platformId, old, next, result } = await rotated(24);
    expect(result.successor).toMatchObject({ keyId: next.keyId, platformId, state: "live", expiresAt: null });
    expect(result.predecessor).toMatchObject({ keyId: old.keyId, state: "live" });
    const left = Date.parse(result.predecessor.expiresAt ?? "") - Date.now();
    expect(left / 3_600_000).toBeGreaterThan(23.9);
    expect(left / 3_600_000).toBeLessThan(24.1);
    expect([await works(old.keyId), await works(next.keyId)]).toEqual([true, true]);
    await expire(old.keyId);
    expect([await works(old.keyId), await works(next.keyId)]).toEqual([false, true]);
    expect((await admin.list({ platformId, limit: 10 })).map(({ state }) => state)).toEqual([
      "live",
      "expired",
    ]);
  });

  test("expires the old key immediately without an overlap", async () => {
    const { old, next, result } = await rotated(0);
    expect(result.predecessor.state).toBe("expired");
    expect([await works(old.keyId), await works(next.keyId)]).toEqual([false, true]);
  });

  test("never extends the life of the old key", async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect((await rotated(24, { expiresAt: soon })).result.predecessor.expiresAt).toBe(soon);
  });

  test("leaves at most two live keys of a name", async () => {
    const { platformId, old, next } = await rotated(24);
    for (const keyId of [old.keyId, next.keyId]) {
      await expect(admin.rotate(keyId, aKey(), 24)).rejects.toMatchObject(conflict("Two live keys"));
    }
    await admin.revoke(old.keyId);
    await expect(admin.rotate(old.keyId, aKey(), 24)).rejects.toMatchObject(conflict("not live"));
    const third = aKey();
    const both = await Promise.allSettled([
      admin.rotate(next.keyId, third, 24),
      admin.rotate(next.keyId, aKey(), 24),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const states = (await admin.list({ platformId, limit: 10 })).map(({ state }) => state);
    expect(states.sort()).toEqual(["live", "live", "revoked"]);
  });

  test("changes nothing when the successor cannot be created", async () => {
    const { next } = await rotated(24);
    const platformId = await platform();
    const old = aKey();
    await admin.create(platformId, old);
    await expect(admin.rotate(old.keyId, next, 0)).rejects.toMatchObject({ constraint: "api_keys_pkey" });
    expect(await works(old.keyId)).toBe(true);
  });

  test("is rejected for an unknown key", async () => {
    await expect(admin.rotate("key_none", aKey(), 24)).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
    expect(await admin.show("key_none")).toBeNull();
    expect(await admin.revoke("key_none")).toBeNull();
  });
});

test("a revoked key is not found in any process, and revoking it again changes nothing", async () => {
  const platformId = await platform();
  const key = aKey();
  await admin.create(platformId, key);
  expect(await works(key.keyId)).toBe(true);
  const revoked = await admin.revoke(key.keyId);
  expect(await works(key.keyId)).toBe(false);
  expect(revoked).toMatchObject({ state: "revoked", revokedAt: expect.stringMatching(/Z$/) });
  expect(await admin.revoke(key.keyId)).toEqual(revoked);
});

test("keys are listed by platform and name, newest first, up to a limit", async () => {
  const [one, two] = [await platform(), await platform()].sort() as [string, string];
  const keys = [aKey({ name: "b" }), aKey({ name: "a" }), aKey({ name: "b" })] as const;
  await admin.create(one, keys[0]);
  await admin.create(two, keys[1]);
  await admin.rotate(keys[0].keyId, keys[2], 1);
  const all = (await admin.list({ limit: 1000 })).map(({ keyId }) => keyId);
  expect(all.filter((id) => keys.some(({ keyId }) => keyId === id))).toEqual([
    keys[2].keyId,
    keys[0].keyId,
    keys[1].keyId,
  ]);
  expect(await admin.list({ limit: 1 })).toHaveLength(1);
  expect((await admin.list({ platformId: two, limit: 10 })).map(({ keyId }) => keyId)).toEqual([
    keys[1].keyId,
  ]);
});

test("only keys of internal apps have the scopes of operators", async () => {
  const internal = { scopes: ["ops.audit"] as const };
  await expect(admin.create(await platform(), aKey(internal))).rejects.toMatchObject({
    constraint: "api_keys_operators_are_internal",
  });
  const key = aKey({ ...internal, prefix: "cb_int_abcd" });
  await admin.create(internalPlatformId, key);
  const found = { keyId: key.keyId, platformId: internalPlatformId, scopes: ["ops.audit"] };
  expect(await here.find(key.hash)).toEqual(found);
});

describe("listing keys", () => {
  test("filters by the state, the expiry and the last use", async () => {
    const platformId = await platform();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const create = async (name: string, expiresAt: string | null = null) =>
      (await admin.create(platformId, aKey({ name, expiresAt }))).keyId;
    const [used, soon, late, expired, revoked] = [
      await create("used"),
      await create("soon", inDays(6)),
      await create("late", inDays(60)),
      await create("expired", inDays(1)),
      await create("revoked", inDays(1)),
    ];
    await create("unused");
    await expire(expired);
    await admin.revoke(revoked);
    await asAdmin(
      `update api_keys set created_at = now() - interval '100 days' where platform_id = '${platformId}'`,
    );
    await asAdmin(
      `update api_keys set last_used_at = now() - interval '20 days' where id in ('${used}', '${soon}')`,
    );
    await asAdmin(`update api_keys set last_used_at = now() where id in ('${late}')`);
    const listed = async (filter: Partial<Parameters<typeof admin.list>[0]>) =>
      (await admin.list({ platformId, limit: 100, ...filter })).map(({ name }) => name);
    expect(await listed({})).toEqual(["expired", "late", "revoked", "soon", "unused", "used"]);
    expect(await listed({ state: "live" })).toEqual(["late", "soon", "unused", "used"]);
    expect(await listed({ state: "expired" })).toEqual(["expired"]);
    expect(await listed({ state: "revoked" })).toEqual(["revoked"]);
    expect(await listed({ expiresWithinDays: 7 })).toEqual(["soon"]);
    expect(await listed({ expiresWithinDays: 90 })).toEqual(["late", "soon"]);
    expect(await listed({ unusedDays: 30 })).toEqual(["unused"]);
    expect(await listed({ unusedDays: 10 })).toEqual(["soon", "unused", "used"]);
    expect(await listed({ unusedDays: 10, expiresWithinDays: 7 })).toEqual(["soon"]);
    expect(await listed({ state: "expired", unusedDays: 0 })).toEqual([]);
    expect(await listed({ state: "live", limit: 1 })).toEqual(["late"]);
  });
});
