import { describe, expect, onTestFinished, test } from "vitest";
import { erasureLog } from "../../src/users/erasure-log.ts";
import { memoryBlobs } from "../support/a-file.ts";
import { managing } from "../support/managing.ts";
import { answered, keys, makeWorld, someone } from "../support/world.ts";

/** A platform with users whose records are resolved. */
async function logWorld(count = 2) {
  const world = await makeWorld({ maxConnections: 10, until: onTestFinished });
  const platformId = await world.platform();
  const store = memoryBlobs();
  const users: string[] = [];
  for (let nth = 1; nth <= count; nth += 1) {
    const { record } = await world.submitted(someone(nth), platformId);
    await world.kyc.storeVerdict(platformId, record, answered("approved"));
    users.push(record.externalUserId);
  }
  const { request, eraseDue } = managing({ ...world.ports, blobs: store.blobs }).erasures;
  return {
    ...world,
    eraseDue,
    requestAll: () => Promise.all(users.map((user) => request(platformId, user))),
    users,
    store,
    log: erasureLog(world.database, { blobs: store.blobs, key: keys.erasures }),
    entries: () => [...store.kept.keys()].filter((name) => name.startsWith("erasure_")).sort(),
  };
}

describe("the log of erasures", () => {
  test("has an object for each erased user, chained and without personal data", async () => {
    const { requestAll, eraseDue, users, log, entries, store } = await logWorld();
    await requestAll();
    expect(await eraseDue(10)).toBe(2);
    const read = await log.read();
    expect(read).toMatchObject({ problems: [], entries: [{ number: 1 }, { number: 2 }] });
    expect(read.entries.map(({ userId }) => userId).sort()).toEqual([...users].sort());
    expect(read.entries[1]?.previousHash).toEqual(read.entries[0]?.hash);
    const [name = ""] = entries();
    const object = JSON.parse(Buffer.from(store.kept.get(name) ?? []).toString());
    expect(Object.keys(object)).toEqual(["number", "platform_id", "user_id", "at", "previous_hash", "hash"]);
  });

  test("has the entry before the erasure: without the file store, nobody is erased", async () => {
    const { requestAll, eraseDue, store, admin } = await logWorld(1);
    await requestAll();
    for (const broken of ["before", "after"] as const) {
      store.state.broken = broken;
      await expect(eraseDue(10)).rejects.toMatchObject({ code: "STORAGE_FULL" });
      expect(await admin("select from users where erased_at is not null")).toEqual([]);
    }
    expect(await eraseDue(10)).toBe(1);
  });

  test("is one chain, also if several workers erase at once", async () => {
    const { requestAll, eraseDue, log } = await logWorld(8);
    await requestAll();
    const erased = await Promise.all(Array.from({ length: 4 }, () => eraseDue(3)));
    const rest = await eraseDue(10);
    expect(erased.reduce((sum, count) => sum + count, rest)).toBe(8);
    expect(await log.read()).toMatchObject({ problems: [], entries: { length: 8 } });
  });

  test("gets the users who were erased before it existed", async () => {
    const { requestAll, eraseDue, users, log, store, admin } = await logWorld(1);
    await requestAll();
    await eraseDue(10);
    store.kept.clear();
    // As the migration leaves a database of the previous version.
    await admin(
      "update erasure_log set number = null, at = null, previous_hash = null, hash = null, stored_at = null",
    );
    expect(await eraseDue(10)).toBe(0);
    expect(await log.read()).toMatchObject({ problems: [], entries: [{ number: 1, userId: users[0] }] });
  });

  test("a changed, a removed and a foreign entry are found", async () => {
    const { requestAll, eraseDue, users, log, entries, store } = await logWorld();
    await requestAll();
    await eraseDue(10);
    const [first = "", second = ""] = entries();
    const last = store.kept.get(second) ?? new Uint8Array();
    store.kept.delete(second);
    expect((await log.read()).problems).toEqual([
      "The log of erasures lacks entries: it has 1, and the database 2.",
    ]);
    store.kept.set(
      second,
      Buffer.from(Buffer.from(last).toString().replace(String(users[1]), String(users[0]))),
    );
    store.kept.set(first, Buffer.from(JSON.stringify({ number: 1 })));
    expect((await log.read()).problems).toEqual(["Entry 1 of the log of erasures was changed."]);
  });

  test("is not ahead when a worker erases a user between the two looks", async () => {
    const { database, requestAll, eraseDue, store } = await logWorld(1);
    await requestAll();
    const erasing = {
      ...store.blobs,
      async get(name: string) {
        await eraseDue(10);
        return store.blobs.get(name);
      },
    };
    expect(await erasureLog(database, { blobs: erasing, key: keys.erasures }).isAhead()).toBe(false);
  });
});
