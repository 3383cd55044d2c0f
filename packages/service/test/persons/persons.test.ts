import { randomUUID } from "node:crypto";
import type { SeenPerson } from "@cardbridge/domain";
import { expect, onTestFinished, test } from "vitest";
import {
  createLookupCache,
  createVerifiedKeys,
  type Database,
  identifyPersons,
  keyProblems,
  noLookupCache,
} from "../../src/database.ts";
import { blockPerson } from "../../src/persons/block.ts";
import { listColleagues } from "../../src/persons/colleagues.ts";
import { listPersons } from "../../src/persons/list.ts";
import { showCurrentPerson } from "../../src/persons/me.ts";
import { readNames } from "../../src/persons/names.ts";
import { codeOf, operatorCall, personCall } from "../support/calls.ts";
import { keyRingOf } from "../support/key-ring.ts";
import { keysOf, makeWorld } from "../support/world.ts";

const { admin: asAdmin, names, platform, ports } = await makeWorld();
const identify = identifyPersons(ports);
const block = async (personId: string, blocked: boolean) =>
  (await blockPerson.execute(ports, operatorCall, { personId, blocked })).data;

/** What names persons on a database with these versions of the key ring. */
const namesOn = (database: Database, ...versions: number[]) => ({
  database,
  personalDataKeys: createVerifiedKeys(database, keysOf(...versions)),
  cache: noLookupCache,
});

const seen = (changes: Partial<SeenPerson> = {}): SeenPerson => ({
  issuer: "https://issuer.example.com",
  subject: `subject-${randomUUID()}`,
  name: "Ada Lovelace",
  roles: ["support"],
  newPersonId: `per_${randomUUID()}`,
  ...changes,
});

test("the issuer and the subject identify a person", async () => {
  const ada = seen();
  const { personId } = await identify(ada);
  expect(personId).toBe(ada.newPersonId);
  expect(await identify({ ...ada, newPersonId: "per_other" })).toEqual({ personId, blockedAt: null });
  const elsewhere = await identify({ ...ada, issuer: "https://other.example.com", newPersonId: "per_2" });
  expect(elsewhere.personId).toBe("per_2");
});

test("colleagues are the persons with a role that may act, who came lately and are not blocked", async () => {
  const identified = async (changes: Partial<SeenPerson>) => (await identify(seen(changes))).personId;
  const bert = await identified({ name: "Bert", roles: ["viewer", "compliance"] });
  const abel = await identified({ name: "Abel" });
  await identified({ name: "Vera", roles: ["viewer"] });
  await block(await identified({ name: "Blocked" }), true);
  const gone = await identified({ name: "Gone" });
  await asAdmin(`update persons set last_seen_at = now() - interval '91 days' where id = '${gone}'`);
  const { colleagues } = (await listColleagues.execute(ports, personCall(["ops.records.act"]), {})).data;
  const ours = colleagues.filter(({ name }) => name !== "Ada Lovelace");
  expect(ours).toEqual([
    { personId: abel, name: "Abel", roles: ["support"] },
    { personId: bert, name: "Bert", roles: ["viewer", "compliance"] },
  ]);
});

test("two processes that see a person first at the same time store one", async () => {
  const ada = seen();
  const found = await Promise.all(
    Array.from({ length: 8 }, () => identify({ ...ada, newPersonId: `per_${randomUUID()}` })),
  );
  expect(new Set(found.map(({ personId }) => personId)).size).toBe(1);
});

test("the database holds neither the name nor the subject", async () => {
  const { personId } = await identify(seen({ subject: "subject-canary", name: "Name Canary" }));
  const [row] = await asAdmin(`select persons::text as text from persons where id = '${personId}'`);
  for (const value of ["subject-canary", "Name Canary"])
    for (const form of [value, Buffer.from(value).toString("hex")]) expect(row.text).not.toContain(form);
  expect(await readNames(names, [personId, "per_unknown"])).toEqual([{ personId, name: "Name Canary" }]);
});

test("a person is written again after an hour or with other roles, and not before", async () => {
  const ada = seen();
  const { personId } = await identify(ada);
  const version = async () => (await asAdmin(`select xmin::text from persons where id = '${personId}'`))[0];
  const first = await version();
  await identify({ ...ada, name: "Another name" });
  expect(await version()).toEqual(first);
  await identify({ ...ada, roles: ["viewer"] });
  const second = await version();
  expect(second).not.toEqual(first);
  await asAdmin(`update persons set last_seen_at = now() - interval '61 minutes' where id = '${personId}'`);
  await identify({ ...ada, roles: ["viewer"], name: null });
  expect(await readNames(names, [personId])).toEqual([{ personId, name: null }]);
  const [facts] = (await listPersons.execute(ports, operatorCall, { limit: 1 })).data.persons;
  expect(facts).toMatchObject({ personId, name: null, roles: ["viewer"], blockedAt: null });
});

test("a block keeps its time until it ends", async () => {
  const ada = seen();
  const { personId } = await identify(ada);
  const blocked = await block(personId, true);
  expect(blocked.blockedAt).toMatch(/Z$/);
  expect((await identify(ada)).blockedAt).toBeInstanceOf(Date);
  expect(await block(personId, true)).toEqual(blocked);
  expect(await block(personId, false)).toMatchObject({ personId, blockedAt: null });
  expect((await identify(ada)).blockedAt).toBeNull();
  expect(await codeOf(block("per_unknown", true))).toBe("PERSON_NOT_FOUND");
});

test("another process sees a block when its cached result is a second old", async () => {
  let time = 1_000;
  const cached = identifyPersons({ ...ports, cache: createLookupCache({ seconds: 1, now: () => time }) });
  const ada = seen();
  const { personId } = await cached(ada);
  await block(personId, true);
  time = 1_999;
  expect((await cached(ada)).blockedAt).toBeNull();
  time = 2_001;
  expect((await cached(ada)).blockedAt).toBeInstanceOf(Date);
});

test("the current person sees their platforms by name: all, or those in the token", async () => {
  const [one, two] = [await platform(), await platform()];
  const named = (platformId: string) => ({ platformId, name: "A platform" });
  const platformsOf = async (platforms: readonly string[] | "all") => {
    const call = personCall(["ops.records.read"], { platforms });
    return (await showCurrentPerson.execute(ports, call, {})).data.platforms;
  };
  expect(await platformsOf([two, "plt_unknown", "internal"])).toEqual([named(two)]);
  expect(await platformsOf([])).toEqual([]);
  const all = await platformsOf("all");
  expect(all).toEqual(expect.arrayContaining([named(one), named(two)]));
  expect(all.map(({ platformId }) => platformId)).not.toContain("internal");
});

test("a rewrap covers the persons' keys, so that an old version can be removed", async () => {
  const world = await makeWorld({ until: onTestFinished });
  const { personId } = await identifyPersons(namesOn(world.database, 1))(seen({ name: "Grace" }));
  const during = keysOf(2, 1);
  const { status, rewrap } = keyRingOf(world.ports, during);
  expect(await keyProblems(world.database, keysOf(2))).toHaveLength(1);
  const unused = { users: 0, files: 0, webhookEndpoints: 0, inRing: true, removable: false };
  expect(await status()).toEqual([
    { version: 1, ...unused, persons: 1, current: false },
    { version: 2, ...unused, persons: 0, current: true },
  ]);
  const other = { ...seen(), issuer: "https://b.example.com" };
  await identifyPersons(namesOn(world.database, 1))(other);
  const first = await rewrap({ after: "", limit: 1 });
  expect(first).toMatchObject({ rewrapped: 1, failed: 0, next: expect.stringMatching(/^persons:/) });
  expect(await rewrap({ after: first.next ?? "", limit: 1 })).toMatchObject({ rewrapped: 1, next: null });
  expect(await keyProblems(world.database, keysOf(2))).toEqual([]);
  expect(await readNames(namesOn(world.database, 2), [personId])).toEqual([{ personId, name: "Grace" }]);
});
