import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../src/server/sessions/memory-store.ts";
import { hashOf, seal, unseal } from "../src/server/sessions/seal.ts";
import { createSessions } from "../src/server/sessions/sessions.ts";
import type { Store } from "../src/server/sessions/store.ts";

const person = {
  subject: "canary-subject",
  name: "Canary Name",
  tokens: {
    access: "canary-access",
    expiresAt: Number.MAX_SAFE_INTEGER,
    refresh: "canary-refresh",
    id: "canary-id",
  },
};

/** A store that shows everything that it was given. */
function readable() {
  const seen: string[] = [];
  const memory = createMemoryStore();
  const store: Store = {
    ...memory,
    set: (key, value, seconds) => {
      seen.push(key, value.toString("latin1"));
      return memory.set(key, value, seconds);
    },
  };
  return { store, seen: () => seen.join("\n") };
}

describe("the store of sessions", () => {
  it("has neither an id nor a readable token", async () => {
    const { store, seen } = readable();
    const sessions = createSessions(store, Date.now);
    const { id } = await sessions.create(person);
    await sessions.endAll({ subject: "canary-other" });
    for (const secret of [id, "canary"]) expect(seen()).not.toContain(secret);
    const sealed = await store.get(`session:${hashOf(id)}`);
    if (!sealed) throw new Error("The session is not stored.");
    expect(() => unseal(hashOf(id), "session", sealed)).toThrow();
  });

  it("never revives a session that ended during an update", async () => {
    const store = createMemoryStore();
    const sessions = createSessions(store, Date.now);
    const { id } = await sessions.create(person);
    const racing = createSessions(
      {
        ...store,
        async replace(...update) {
          await sessions.end(hashOf(id));
          return store.replace(...update);
        },
      },
      Date.now,
    );
    expect(await racing.update(id, (stored) => ({ ...stored, name: "Revived" }))).toBeUndefined();
    expect(await sessions.find(id, { act: true })).toBeUndefined();
  });

  it("keeps both of two concurrent updates", async () => {
    const sessions = createSessions(createMemoryStore(), Date.now);
    const { id } = await sessions.create(person);
    await Promise.all([
      sessions.update(id, (stored) => ({ ...stored, issuerSession: "sid-2" })),
      sessions.update(id, (stored) => ({ ...stored, name: "Renamed" })),
    ]);
    expect(await sessions.find(id, { act: false })).toMatchObject({
      issuerSession: "sid-2",
      name: "Renamed",
    });
  });

  it("forgets the oldest session instead of growing, and no logout that is newer", async () => {
    const store = createMemoryStore(Date.now, 100);
    const sessions = createSessions(store, Date.now);
    const oldest = await sessions.create(person);
    const active = await sessions.create(person);
    const ended = await sessions.create({ ...person, issuerSession: "ended" });
    await sessions.endAll({ issuerSession: "ended" });
    for (let count = 0; count < 96; count += 1) await sessions.create(person);
    await sessions.find(active.id, { act: true });
    await sessions.create(person);
    const found = [oldest, active, ended].map(({ id }) => sessions.find(id, { act: false }));
    expect(await Promise.all(found)).toEqual([undefined, active, undefined]);
    expect(store.count?.("session")).toBe(98);
  });

  it("does not take a sealed value of one purpose for another", () => {
    const sealed = seal("secret", "sign-in", "text");
    expect(() => unseal("secret", "session", sealed)).toThrow();
  });
});
