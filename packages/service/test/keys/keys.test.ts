import { createHash, randomUUID } from "node:crypto";
import { defaultPolicies, internalPlatformId, type KeyFacts, type Scope } from "@cardbridge/domain";
import { afterAll, describe, expect, test } from "vitest";
import { findApiKey, isLiveKey } from "../../src/database.ts";
import { type Call, createOperations, type Ports } from "../../src/index.ts";
import { callOf, operatorCall, personCall } from "../support/calls.ts";
import { openDatabase } from "../support/open-database.ts";
import { makeWorld } from "../support/world.ts";

const { admin: asAdmin, database, platform, ports: worldPorts, urls } = await makeWorld();
const { keys } = createOperations(defaultPolicies);
/** Another process of the service. */
const other = openDatabase({ url: urls.serviceUrl, onError: () => {} });
afterAll(() => other.close());
const elsewhere = findApiKey(other);
const here = findApiKey(database);

const hashOf = (key: string) => createHash("sha256").update(key).digest();
const ports: Ports = {
  ...worldPorts,
  generateKey() {
    const key = randomUUID();
    return { key, prefix: "cb_live_abcd", hash: hashOf(key) };
  },
};
interface NewKey {
  name?: string;
  scopes?: Scope[];
  expiresAt?: string | null;
}
/** Creates a key, of a new platform by default. */
async function created(changes: NewKey = {}, platformId?: string, by = operatorCall) {
  const input = {
    platformId: platformId ?? (await platform()),
    name: "backend",
    scopes: ["cards:read" as const],
  };
  const { data } = await keys.create.execute(ports, by, { ...input, ...changes });
  const { key, ...facts } = data;
  secrets.set(facts.keyId, key);
  return facts;
}
/** The keys themselves, by their ids. */
const secrets = new Map<string, string>();
async function rotate(keyId: string, overlapHours = 24) {
  const rotated = await keys.rotate.execute(ports, operatorCall, { keyId, overlapHours, expiresAt: null });
  const { key, predecessor, ...successor } = rotated.data;
  secrets.set(successor.keyId, key);
  return { successor, predecessor };
}
const revoke = async (keyId: string) => (await keys.revoke.execute(ports, operatorCall, { keyId })).data;
const list = async (query: Parameters<typeof keys.list.execute>[2]) =>
  (await keys.list.execute(ports, operatorCall, query)).data.keys;
const works = async (keyId: string) => {
  const hash = hashOf(secrets.get(keyId) ?? "");
  const found = [await here(hash), await elsewhere(hash)];
  expect(found[0]).toEqual(found[1]);
  return found[0] !== null;
};
const expire = (keyId: string) => asAdmin("update api_keys set expires_at = now() where id = $1", [keyId]);
const statesOf = async (platformId: string) => (await list({ platformId })).map(({ state }) => state);
const conflict = (text: string) => ({
  code: "KEY_CONFLICT",
  details: { violations: [{ rule: "live-keys", message: expect.stringContaining(text) }] },
});
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe("creating a key", () => {
  test("returns all fields except the hash, and the key can be found", async () => {
    const expiresAt = "2999-01-01T00:00:00.000Z";
    const facts = await created({ expiresAt, scopes: ["kyc:read", "cards:read"] });
    const { platformId, keyId } = facts;
    const expected: KeyFacts = {
      keyId: expect.stringMatching(/^key_/),
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
    expect(await list({ platformId })).toEqual([
      { ...expected, maker: null, lastUsedAt: expect.stringMatching(/Z$/) },
    ]);
  });

  test("is rejected while a live key has the name", async () => {
    const { platformId, keyId } = await created();
    await expect(created({}, platformId)).rejects.toMatchObject(conflict("rotate it"));
    await created({ name: "another" }, platformId);
    await created();
    await revoke(keyId);
    const second = await created({}, platformId);
    await expire(second.keyId);
    await created({}, platformId);
  });

  test("succeeds once for concurrent calls with the same name", async () => {
    const platformId = await platform();
    const all = await Promise.allSettled([1, 2, 3, 4].map(() => created({}, platformId)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await statesOf(platformId)).toHaveLength(1);
  });

  test("for an internal app makes one with scopes of operators", async () => {
    const { keyId } = await created({ scopes: ["ops.audit"] }, internalPlatformId);
    const found = { keyId, platformId: internalPlatformId, scopes: ["ops.audit"] };
    expect(await here(hashOf(secrets.get(keyId) ?? ""))).toEqual(found);
  });
});

describe("rotating a key", () => {
  async function rotated(overlapHours: number, changes: NewKey = {}) {
    const { platformId, keyId: old } = await created(changes);
    const { successor, predecessor } = await rotate(old, overlapHours);
    return { platformId, old, next: successor.keyId, successor, predecessor };
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
      await expect(rotate(keyId)).rejects.toMatchObject(conflict("Two live keys"));
    await revoke(old);
    await expect(rotate(old)).rejects.toMatchObject(conflict("not live"));
    const both = await Promise.allSettled([1, 2].map(() => rotate(next)));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await statesOf(platformId)).sort()).toEqual(["live", "live", "revoked"]);
  });

  test("lets a new key, and the successor of one that expires, expire after 365 days by default", async () => {
    const daysOf = ({ data }: { data: { expiresAt: string | null } }) =>
      data.expiresAt && Math.round((Date.parse(data.expiresAt) - Date.now()) / 86_400_000);
    const create = (more: object) =>
      keys.create.execute(ports, operatorCall, {
        platformId,
        name: randomUUID(),
        scopes: ["cards:read"],
        ...more,
      });
    const { platformId } = await created();
    const [byDefault, never] = [await create({}), await create({ expiresAt: null })];
    expect([byDefault, never].map(daysOf)).toEqual([365, null]);
    const rotated = [byDefault, never].map(({ data: { keyId } }) =>
      keys.rotate.execute(ports, operatorCall, { keyId }),
    );
    expect((await Promise.all(rotated)).map(daysOf)).toEqual([365, null]);
  });

  test("changes nothing when the successor cannot be created", async () => {
    const { next } = await rotated(24);
    const { keyId } = await created();
    const same = { ...ports, ids: { ...ports.ids, keyId: () => next } };
    await expect(keys.rotate.execute(same, operatorCall, { keyId, overlapHours: 0 })).rejects.toMatchObject({
      constraint: "api_keys_pkey",
    });
    expect(await works(keyId)).toBe(true);
  });
});

test("an unknown platform or key is not found", async () => {
  await expect(created({}, "plt_none")).rejects.toMatchObject({ code: "PLATFORM_NOT_FOUND" });
  for (const call of [rotate, revoke])
    await expect(call("key_none")).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
});

test("a revoked key is not found in any process, and revoking it again changes nothing", async () => {
  const { keyId } = await created();
  expect(await works(keyId)).toBe(true);
  const revoked = await revoke(keyId);
  expect(await works(keyId)).toBe(false);
  expect(revoked).toMatchObject({ state: "revoked", revokedAt: expect.stringMatching(/Z$/) });
  expect(await revoke(keyId)).toEqual(revoked);
});

test("a key is live by its id, until it expires or is revoked", async () => {
  const [first, second] = [await created(), await created({ name: "spare" }, internalPlatformId)];
  const live = () =>
    Promise.all([first.keyId, second.keyId, "key_none"].map((id) => isLiveKey(database, id)));
  expect(await live()).toEqual([true, true, false]);
  await expire(first.keyId);
  await revoke(second.keyId);
  expect(await live()).toEqual([false, false, false]);
});

describe("listing keys", () => {
  test("is by platform and name, newest first, up to a limit", async () => {
    const [one = "", two = ""] = [await platform(), await platform()].sort();
    const first = await created({ name: "b" }, one);
    const second = await created({ name: "a" }, two);
    const { successor: third } = await rotate(first.keyId, 1);
    const expected = [third.keyId, first.keyId, second.keyId];
    const listed = async (query: Parameters<typeof list>[0]) =>
      (await list(query)).map(({ keyId }) => keyId).filter((id) => expected.includes(id));
    expect(await listed({})).toEqual(expected);
    expect(await listed({ platformId: two })).toEqual([second.keyId]);
    const { data } = await keys.list.execute(ports, operatorCall, { limit: 1 });
    expect([data.keys.length, data.more]).toEqual([1, true]);
  });

  test("filters by the state, the expiry and the last use", async () => {
    const platformId = await platform();
    const create = async (name: string, expiresAt: string | null = null) =>
      (await created({ name, expiresAt }, platformId)).keyId;
    const used = await create("used");
    const soon = await create("soon", inDays(6));
    const late = await create("late", inDays(60));
    await expire(await create("expired", inDays(1)));
    await revoke(await create("revoked", inDays(1)));
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
      const listed = await list({ platformId, limit: 100, ...filter });
      expect([filter, listed.map(({ name }) => name)]).toEqual([filter, names]);
    }
  });

  test("finds those that a person made, on all platforms, with whichever key the person called", async () => {
    const make = async (by: Call, platformId?: string) =>
      (await created({ name: randomUUID() }, platformId, by)).keyId;
    const app = callOf("internal", { scopes: ["ops.keys"] });
    const by = (personId: string, key: string) => ({ ...personCall(["ops.keys"], { personId }), actor: key });
    const ofAda = [
      await make(by("per_ada", "key_1"), internalPlatformId),
      await make(by("per_ada", "key_2")),
    ];
    await make(by("per_adam", "key_1"), internalPlatformId);
    await make({ ...app, actor: "key_1" });
    const made = async (createdBy: string) => {
      const keys = await list({ createdBy, state: "live" });
      return keys.map(({ keyId }) => keyId).sort();
    };
    expect(await made("per_ada")).toEqual(ofAda.toSorted());
    await revoke(ofAda[0] ?? "");
    expect(await made("per_ada")).toEqual(ofAda.slice(1));
    expect(await made("per_none")).toEqual([]);
    const { maker } = (await list({ createdBy: "per_ada" }))[0] ?? {};
    expect(maker).toEqual({ personId: "per_ada", name: null });
  });
});
