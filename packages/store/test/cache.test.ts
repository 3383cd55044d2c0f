import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCache } from "../src/cache.ts";
import { withConnection } from "../src/connect.ts";
import { apiKeysRepository, putApiKey, putUser, usersRepository } from "../src/index.ts";
import { keys, makeWorld } from "./support/world.ts";

const { database, platform, urls } = await makeWorld();
const platformId = await platform();
const asAdmin = (text: string) => withConnection(urls.adminUrl, (client) => client.query(text));
const name = Buffer.from("name");

/** A look-up that counts its calls, with a result that can be changed. */
function lookUp(first: object | null) {
  const state = { result: first, calls: 0 };
  const find = async () => {
    state.calls += 1;
    return state.result;
  };
  return { state, find };
}

test("a result is not looked up again while it is cached", async () => {
  const cached = createCache<object>(60);
  const { state, find } = lookUp({ is: "there" });
  for (let call = 0; call < 3; call += 1) expect(await cached(name, find)).toEqual({ is: "there" });
  expect(await cached(Buffer.from("another"), find)).toEqual({ is: "there" });
  expect(state.calls).toBe(2);
});

test("misses and failures are never cached", async () => {
  const cached = createCache<object>(60);
  const { state, find } = lookUp(null);
  expect(await cached(name, find)).toBeNull();
  await expect(cached(name, () => Promise.reject(new Error("no database")))).rejects.toThrow("no database");
  state.result = { is: "there" };
  expect(await cached(name, find)).toEqual({ is: "there" });
});

test("the time counts from the start of the look-up", async () => {
  const cached = createCache<object>(0.05);
  const { state, find } = lookUp({ is: "there" });
  await cached(name, async () => {
    await wait(60);
    return find();
  });
  await cached(name, find);
  expect(state.calls).toBe(2);
});

test("a revoked key and a former name are found until the cache expires", async () => {
  const hash = createHash("sha256").update("cached").digest();
  await putApiKey(urls.ownerUrl, { platformId, keyId: "cached", name: "k", prefix: "cb_", hash, scopes: [] });
  const user = { platformId, externalUserId: "usr_cached", memberId: "cached", email: "cached@example.com" };
  await putUser(urls.ownerUrl, user, keys);
  const lookUps = async (seconds: number) => {
    const apiKeys = apiKeysRepository(database, seconds);
    const users = usersRepository(database, keys, seconds);
    const look = async () => [await apiKeys.find(hash), await users.find(platformId, { memberId: "cached" })];
    return { look, first: await look() };
  };
  const [cached, uncached] = [await lookUps(1), await lookUps(0)];
  expect(cached.first).toEqual(uncached.first);
  await asAdmin("update api_keys set revoked_at = now() where id = 'cached'");
  await putUser(urls.ownerUrl, { ...user, memberId: "renamed" }, keys);
  expect(await cached.look()).toEqual(cached.first);
  expect(await uncached.look()).toEqual([null, null]);
  await wait(1_000);
  expect(await cached.look()).toEqual([null, null]);
});
