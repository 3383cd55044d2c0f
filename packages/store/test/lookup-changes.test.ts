import { createHash, randomUUID } from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { withConnection } from "../src/connect.ts";
import {
  apiKeysRepository,
  erasures,
  keyAdmin,
  listenForChanges,
  putApiKey,
  putUser,
  userAdmin,
  usersRepository,
} from "../src/index.ts";
import { blindIndex } from "../src/sealing/blind-index.ts";
import { startDatabaseProxy } from "../src/testing/index.ts";
import { aClaim, keys, makeWorld, personalDataKeysOf } from "./support/world.ts";

const { database, kyc, platform, urls } = await makeWorld({ maxConnections: 10 });
const asAdmin = (text: string, values: unknown[] = []) =>
  withConnection(urls.adminUrl, (client) => client.query(text, values));

/** Listens as another process does, and records the changes. */
async function listener(url = urls.serviceUrl, times: { heartbeatMs?: number; maxSilenceMs?: number } = {}) {
  const onHeard = vi.fn();
  const changes = listenForChanges({ url, database, onHeard, ...times });
  onTestFinished(changes.close);
  const names: (string | null)[] = [];
  changes.subscribe((name) => void names.push(name));
  /** The changes since the last call. */
  const take = async () => {
    const end = randomUUID();
    await asAdmin("select pg_notify('cardbridge_changed_lookups', $1)", [end]);
    await expect.poll(() => names.at(-1)).toBe(end);
    return names.splice(0).slice(0, -1);
  };
  return { changes, onHeard, take };
}

/** A listener that hears, and its cached look-ups. */
async function aProcess() {
  const { changes, take } = await listener();
  await expect.poll(changes.areHeard).toBe(true);
  await take();
  const cache = { changes, seconds: 3_600 };
  return { take, apiKeys: apiKeysRepository(database, cache), users: usersRepository(database, keys, cache) };
}

async function aKey(platformId: string) {
  const keyId = `key_${randomUUID()}`;
  const hash = createHash("sha256").update(keyId).digest();
  await putApiKey(urls.ownerUrl, {
    platformId,
    keyId,
    name: keyId,
    prefix: "cb_",
    hash,
    scopes: ["cards:read"],
  });
  return { keyId, hash };
}

const namesOf = (name: string) => ({ memberId: name, email: `${name}@example.com` });
const indexesOf = (platformId: string, { memberId, email }: ReturnType<typeof namesOf>) =>
  [{ memberId }, { email }].map((name) =>
    blindIndex(personalDataKeysOf(1), platformId, name).toString("hex"),
  );

test.each([
  ["revoked", (id: string) => keyAdmin(database).revoke(id)],
  ["revoked by hand", (id: string) => asAdmin("update api_keys set revoked_at = now() where id = $1", [id])],
  ["deleted", (id: string) => asAdmin("delete from api_keys where id = $1", [id])],
  ["expired", (id: string) => asAdmin("update api_keys set expires_at = now() where id = $1", [id])],
])("a key that is %s is dropped in another process", async (_what, change) => {
  const { apiKeys, take } = await aProcess();
  const { keyId, hash } = await aKey(await platform());
  expect(await apiKeys.find(hash)).toMatchObject({ keyId });
  expect(await take()).toEqual([]);
  await change(keyId);
  expect(await take()).toEqual([hash.toString("hex")]);
  expect(await apiKeys.find(hash)).toBeNull();
});

test("a key with other scopes is looked up again, and its last use notifies nobody", async () => {
  const { apiKeys, take } = await aProcess();
  const { keyId, hash } = await aKey(await platform());
  await apiKeys.find(hash);
  await asAdmin("update api_keys set last_used_at = now() - interval '1 hour' where id = $1", [keyId]);
  await apiKeysRepository(database).find(hash);
  expect(await take()).toEqual([]);
  await asAdmin("update api_keys set scopes = '{kyc:read}' where id = $1", [keyId]);
  await take();
  expect(await apiKeys.find(hash)).toMatchObject({ scopes: ["kyc:read"] });
});

test("a rotated key is cached until it expires, and no longer", async () => {
  const { apiKeys, take } = await aProcess();
  const { keyId, hash } = await aKey(await platform());
  await apiKeys.find(hash);
  await asAdmin("update api_keys set expires_at = now() + interval '300 milliseconds' where id = $1", [
    keyId,
  ]);
  await take();
  await apiKeys.find(hash);
  await expect.poll(() => apiKeys.find(hash), { timeout: 5_000 }).toBeNull();
});

test("a relinked user is not found under a former name in another process", async () => {
  const { users, take } = await aProcess();
  const platformId = await platform();
  const { record } = await kyc.claim(platformId, aClaim(namesOf("ada")));
  const { externalUserId } = record;
  const find = () => users.find(platformId, { email: "ada@example.com" });
  expect(await find()).toEqual({ externalUserId });
  expect(await take()).toEqual([]);
  await userAdmin(database, keys).relink(platformId, externalUserId, { email: "augusta@example.com" });
  expect((await take()).sort()).toEqual(indexesOf(platformId, namesOf("ada")).sort());
  expect(await find()).toBeNull();
});

test("a user whose e-mail another submission took is not found under it in another process", async () => {
  const { users, take } = await aProcess();
  const platformId = await platform();
  const names = namesOf("one");
  const { record } = await kyc.claim(platformId, aClaim(names));
  await kyc.storeVerdict(platformId, record, { outcome: "refused" });
  const find = () => users.find(platformId, { email: names.email });
  expect(await find()).toEqual({ externalUserId: record.externalUserId });
  const taken = await kyc.claim(platformId, aClaim({ ...names, memberId: "two" }));
  expect((await take()).sort()).toEqual(indexesOf(platformId, names).sort());
  expect(await find()).toEqual({ externalUserId: taken.record.externalUserId });
});

test("an e-mail that moves to another user finds that user in another process", async () => {
  const { users, take } = await aProcess();
  const platformId = await platform();
  const put = (externalUserId: string, names: ReturnType<typeof namesOf>) =>
    putUser(urls.ownerUrl, { platformId, externalUserId, ...names }, keys);
  const [one, two] = [`usr_${randomUUID()}`, `usr_${randomUUID()}`];
  await put(one, namesOf("one"));
  await put(two, namesOf("two"));
  const find = () => users.find(platformId, { email: "one@example.com" });
  expect(await find()).toEqual({ externalUserId: one });
  await put(one, { memberId: "one", email: "free@example.com" });
  await put(two, { memberId: "two", email: "one@example.com" });
  await take();
  expect(await find()).toEqual({ externalUserId: two });
});

test("an erased user is not found in another process", async () => {
  const { users, take } = await aProcess();
  const platformId = await platform();
  const { record } = await kyc.claim(platformId, aClaim(namesOf("gone")));
  await kyc.storeVerdict(platformId, record, { outcome: "refused" });
  const find = () => users.find(platformId, { memberId: "gone" });
  expect(await find()).not.toBeNull();
  await erasures(database).request(platformId, record.externalUserId);
  await erasures(database).eraseDue(100);
  expect((await take()).sort()).toEqual(indexesOf(platformId, namesOf("gone")).sort());
  expect(await find()).toBeNull();
});

test("a listener whose connection breaks caches nothing until it hears again", async () => {
  const proxy = await startDatabaseProxy(urls.serviceUrl);
  onTestFinished(proxy.close);
  const { changes, onHeard } = await listener(proxy.url, { heartbeatMs: 20 });
  await expect.poll(changes.areHeard).toBe(true);
  proxy.down();
  await expect.poll(changes.areHeard).toBe(false);
  const platformId = await platform();
  const { keyId, hash } = await aKey(platformId);
  const apiKeys = apiKeysRepository(database, { changes, seconds: 3_600 });
  await apiKeys.find(hash);
  await keyAdmin(database).revoke(keyId);
  expect(await apiKeys.find(hash)).toBeNull();
  proxy.up();
  await expect.poll(changes.areHeard).toBe(true);
  expect(onHeard.mock.calls.map(([heard]) => heard)).toEqual([true, false, true]);
});

test("a listener whose connection is silent caches nothing, and connects again", async () => {
  const proxy = await startDatabaseProxy(urls.serviceUrl);
  onTestFinished(proxy.close);
  const { changes, onHeard } = await listener(proxy.url, { heartbeatMs: 20, maxSilenceMs: 300 });
  await expect.poll(changes.areHeard).toBe(true);
  proxy.freeze();
  await expect.poll(() => onHeard.mock.calls.length).toBe(2);
  expect(changes.areHeard()).toBe(false);
  proxy.thaw();
  await expect.poll(changes.areHeard).toBe(true);
  expect(onHeard.mock.calls.map(([heard]) => heard)).toEqual([true, false, true]);
});

test("a listener that does not receive what other connections notify never hears", async () => {
  const other = await makeWorld({ until: onTestFinished });
  const { changes, onHeard } = await listener(other.urls.serviceUrl, { heartbeatMs: 20, maxSilenceMs: 200 });
  await expect.poll(() => onHeard.mock.calls.length).toBe(1);
  expect(onHeard).toHaveBeenCalledWith(false, new Error("not-heard"));
  expect(changes.areHeard()).toBe(false);
});
