import { expect, test } from "vitest";
import { putUser, usersRepository } from "../../src/index.ts";
import { keys, makeWorld } from "../support/world.ts";

const { database, platform, urls } = await makeWorld();
const users = usersRepository(database, keys);
const platformId = await platform();
const ada = { platformId, externalUserId: "usr_ada", memberId: "Member-1", email: "Ada@Example.com" };
await putUser(urls.ownerUrl, ada, keys);

test("a user is found by member id and by e-mail", async () => {
  const user = { externalUserId: "usr_ada" };
  expect(await users.find(platformId, { memberId: "Member-1" })).toEqual(user);
  expect(await users.find(platformId, { email: "Ada@Example.com" })).toEqual(user);
});

test("e-mails match in any case, and member ids match exactly", async () => {
  expect(await users.find(platformId, { email: "aDA@eXAMPLE.com" })).not.toBeNull();
  expect(await users.find(platformId, { memberId: "member-1" })).toBeNull();
});

test("an unknown user is null", async () => {
  expect(await users.find(platformId, { memberId: "nobody" })).toBeNull();
});

test("storing a user again relinks the user", async () => {
  const bob = { ...ada, externalUserId: "usr_bob", memberId: "bob", email: "bob@example.com" };
  await putUser(urls.ownerUrl, bob, keys);
  await putUser(urls.ownerUrl, { ...bob, email: "rob@example.com" }, keys);
  expect(await users.find(platformId, { email: "bob@example.com" })).toBeNull();
  expect(await users.find(platformId, { email: "rob@example.com" })).toEqual({ externalUserId: "usr_bob" });
});

test("a user belongs to one platform", async () => {
  expect(await users.has(platformId, "usr_ada")).toBe(true);
  expect(await users.has(await platform(), "usr_ada")).toBe(false);
  expect(await users.has(platformId, "usr_nobody")).toBe(false);
});
