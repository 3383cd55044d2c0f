import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { withConnection } from "../src/connect.ts";
import { createCache } from "../src/cache.ts";
import { apiKeysRepository, putApiKey, putUser, usersRepository } from "../src/index.ts";
import { keys, makeWorld } from "./support/world.ts";

const { database, platform, urls } = await makeWorld();
const platformId = await platform();
const asAdmin = (text: string) => withConnection(urls.adminUrl, (client) => client.query(text));
const name = Buffer.from("name");

/** A look-up of which the answer can be changed, and which counts. */
function lookUp(first: object | null) {
  const found = { answer: first, asked: 0 };
  const find = async () => {
    found.asked += 1;
    return found.answer;
  };
  return { found, find };
}

test("what was found is not asked for again while it is held", async () => {
  const held = createCache<object>(60);
  const { found, find } = lookUp({ is: "there" });
  for (let call = 0; call < 3; call += 1) expect(await held(name, find)).toEqual({ is: "there" });
  expect(await held(Buffer.from("another"), find)).toEqual({ is: "there" });
  expect(found.asked).toBe(2);
});

test("that there is nothing is asked for again, and so is what failed", async () => {
  const held = createCache<object>(60);
  const { found, find } = lookUp(null);
  expect(await held(name, find)).toBeNull();
  await expect(held(name, () => Promise.reject(new Error("no database")))).rejects.toThrow("no database");
  found.answer = { is: "there" };
  expect(await held(name, find)).toEqual({ is: "there" });
});

test("it counts from when the look-up began", async () => {
  const held = createCache<object>(0.05);
  const { found, find } = lookUp({ is: "there" });
  await held(name, async () => {
    await wait(60);
    return find();
  });
  await held(name, find);
  expect(found.asked).toBe(2);
});

test("a revoked key and a name that a user had end when they are held no longer", async () => {
  const hash = createHash("sha256").update("held").digest();
  await putApiKey(urls.ownerUrl, { platformId, keyId: "held", name: "k", prefix: "cb_", hash, scopes: [] });
  const user = { platformId, externalUserId: "usr_held", memberId: "held", email: "held@example.com" };
  await putUser(urls.ownerUrl, user, keys);
  const found = async (seconds: number) => {
    const apiKeys = apiKeysRepository(database, seconds);
    const users = usersRepository(database, keys, seconds);
    const look = async () => [await apiKeys.find(hash), await users.find(platformId, { memberId: "held" })];
    return { look, first: await look() };
  };
  const [held, unheld] = [await found(1), await found(0)];
  expect(held.first).toEqual(unheld.first);
  await asAdmin("update api_keys set revoked_at = now() where id = 'held'");
  await putUser(urls.ownerUrl, { ...user, memberId: "renamed" }, keys);
  expect(await held.look()).toEqual(held.first);
  expect(await unheld.look()).toEqual([null, null]);
  await wait(1_000);
  expect(await held.look()).toEqual([null, null]);
});
