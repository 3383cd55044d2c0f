import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../src/server/sessions/memory-store.ts";
import { hashOf, unseal } from "../src/server/sessions/seal.ts";
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
    const begun = {
      state: "canary-state",
      nonce: "canary-nonce",
      verifier: "canary-verifier",
      returnTo: "/",
      fresh: false,
    };
    const signIn = await sessions.begin(begun);
    await sessions.endAll({ subject: "canary-other" });
    for (const secret of [id, signIn, "canary"]) expect(seen()).not.toContain(secret);
    expect(await sessions.finish(signIn)).toEqual(begun);
    expect(await sessions.finish(signIn)).toBeUndefined();
    const sealed = await store.get(`session:${hashOf(id)}`);
    if (!sealed) throw new Error("The session is not stored.");
    expect(() => unseal(hashOf(id), sealed)).toThrow();
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
      sessions.update(id, (stored) => ({ ...stored, scopes: ["ops.records.read"] })),
      sessions.update(id, (stored) => ({ ...stored, name: "Renamed" })),
    ]);
    expect(await sessions.find(id, { act: false })).toMatchObject({
      scopes: ["ops.records.read"],
      name: "Renamed",
    });
  });

  it("forgets the oldest sign-ins instead of growing", async () => {
    const store = createMemoryStore();
    for (let count = 0; count < 50_001; count += 1) await store.set(`sign-in:${count}`, Buffer.alloc(0), 600);
    expect(await store.get("sign-in:0")).toBeUndefined();
    expect(await store.get("sign-in:50000")).toBeDefined();
  });
});

it("many sign-ins that nobody finishes end no session, and forget no logout", async () => {
  const store = createMemoryStore(Date.now, 100);
  const sessions = createSessions(store, Date.now);
  const { id } = await sessions.create(person);
  const ended = await sessions.create({ ...person, issuerSession: "ended" });
  await sessions.endAll({ issuerSession: "ended" });
  const begun = { state: "s", nonce: "n", verifier: "v", returnTo: "/", fresh: false };
  const first = await sessions.begin(begun);
  for (let count = 0; count < 200; count += 1) await sessions.begin(begun);
  expect(await sessions.finish(first)).toBeUndefined();
  expect(await sessions.find(id, { act: false })).toMatchObject({ id });
  expect(await sessions.find(ended.id, { act: false })).toBeUndefined();
});
