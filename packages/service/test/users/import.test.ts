import { randomUUID } from "node:crypto";
import type { ImportedUser } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { createVerifiedKeys, putUser } from "../../src/database.ts";
import { managing } from "../support/managing.ts";
import { keys, keysOf, makeWorld } from "../support/world.ts";

const {
  audit,
  count,
  database,
  platform,
  ports,
  submitted,
  urls,
  userAdmin: admin,
  users,
} = await makeWorld();

const by = { actor: "claim:ada", requestId: null, address: null, operation: "users.import" };
const created = { outcome: "created" };
const unchanged = { outcome: "unchanged" };
const taken = (field: string) => ({ outcome: "taken", field });

const aUser = (name: string, changes: Partial<ImportedUser> = {}): ImportedUser => ({
  memberId: name,
  email: `${name}@example.com`,
  ...changes,
});
const idOf = async (platformId: string, memberId: string) =>
  (await users.find(platformId, { memberId }))?.externalUserId;
const importAll = (platformId: string, ...newUsers: ImportedUser[]) => admin.import(platformId, newUsers, by);

describe("an import", () => {
  test("creates users with the given or a generated id, and submissions find them", async () => {
    const platformId = await platform();
    const [ada, bob] = [aUser("ada"), aUser("bob", { externalUserId: `usr_${randomUUID()}` })];
    expect(await importAll(platformId, ada, bob)).toEqual([created, created]);
    expect(await idOf(platformId, "ada")).toMatch(/_/);
    const { externalUserId } = await submitted({ memberId: "bob", email: "BOB@example.com" }, platformId);
    expect(externalUserId).toBe(bob.externalUserId);
  });

  test("may be repeated: existing users do not change", async () => {
    const platformId = await platform();
    const ada = aUser("ada");
    await importAll(platformId, ada);
    const externalUserId = await idOf(platformId, "ada");
    const again = await importAll(platformId, aUser("ada"), aUser("ada", { externalUserId }));
    expect(again).toEqual([unchanged, unchanged]);
    expect(await idOf(platformId, "ada")).toBe(externalUserId);
    expect(await count("users", platformId)).toBe(1);
  });

  test("reports the field that another user has", async () => {
    const platformId = await platform();
    const ada = aUser("ada", { externalUserId: `usr_${randomUUID()}` });
    await importAll(platformId, ada, aUser("bob"));
    const { externalUserId } = ada;
    expect(
      await importAll(
        platformId,
        aUser("ada", { email: "other@example.com" }),
        aUser("other", { email: "ada@example.com" }),
        aUser("ada", { email: "bob@example.com" }),
        aUser("ada", { externalUserId: `usr_${randomUUID()}` }),
        aUser("other", { externalUserId }),
      ),
    ).toEqual([
      taken("memberId"),
      taken("email"),
      taken("memberId"),
      taken("externalUserId"),
      taken("externalUserId"),
    ]);
    // The id may also belong to a user of another platform, who is not shown.
    expect(await importAll(await platform(), aUser("other", { externalUserId }))).toEqual([
      taken("externalUserId"),
    ]);
    expect(await count("users", platformId)).toBe(2);
  });

  test("creates the first of two equal users, and rejects a second user who shares only one name", async () => {
    const platformId = await platform();
    const other = aUser("ada", { memberId: "other" });
    expect(await importAll(platformId, aUser("ada"), aUser("ada"), other)).toEqual([
      created,
      unchanged,
      taken("email"),
    ]);
  });

  test("is audited with an entry for each new user only", async () => {
    const platformId = await platform();
    const [ada, bob] = [aUser("ada"), aUser("bob")];
    await importAll(platformId, ada);
    await importAll(platformId, aUser("ada"), bob);
    const entries = (await audit.list([platformId], { limit: 10 })).entries.map(
      ({ id: _id, at: _at, count: _count, purpose: _purpose, by: _by, platformId: _platformId, ...entry }) =>
        entry,
    );
    const subjects = await Promise.all(["bob", "ada"].map((memberId) => idOf(platformId, memberId)));
    expect(entries).toEqual(subjects.map((subject) => ({ ...by, person: null, subject, outcome: "done" })));
  });

  test("is rejected with wrong keys", async () => {
    const platformId = await platform();
    await importAll(platformId, aUser("ada"));
    const refused = managing({
      ...ports,
      personalDataKeys: createVerifiedKeys(database, keysOf(2)),
    }).userAdmin.import(platformId, [aUser("bob")], by);
    await expect(refused).rejects.toMatchObject({ details: { cause: { name: "WrongKeys" } } });
    expect(await count("users", platformId)).toBe(1);
  });
});

test("a user is found by the exact member id and the e-mail in any case, and storing a user again relinks them", async () => {
  const platformId = await platform();
  const ada = { platformId, externalUserId: "usr_ada", memberId: "Member-1", email: "Ada@Example.com" };
  const found = async (memberId: string, ...emails: string[]) => {
    const names = [{ memberId }, ...emails.map((email) => ({ email }))];
    return (await Promise.all(names.map((name) => users.find(platformId, name)))).map(
      (user) => user?.externalUserId,
    );
  };
  await putUser(urls.ownerUrl, ada, keys);
  expect(await found("Member-1", "aDA@eXAMPLE.com")).toEqual(["usr_ada", "usr_ada"]);
  expect(await found("member-1", "nobody@example.com")).toEqual([undefined, undefined]);
  await putUser(urls.ownerUrl, { ...ada, email: "augusta@example.com" }, keys);
  expect(await found("Member-1", "augusta@example.com", ada.email)).toEqual([
    "usr_ada",
    "usr_ada",
    undefined,
  ]);
  expect([await users.has(platformId, "usr_ada"), await users.has(platformId, "usr_nobody")]).toEqual([
    true,
    false,
  ]);
  expect(await users.has(await platform(), "usr_ada")).toBe(false);
});
