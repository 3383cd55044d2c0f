import { expect, it } from "vitest";
import { createCurrentSession, IssuerUnavailable } from "../src/server/api/current-session.ts";
import { createMemoryStore } from "../src/server/sessions/memory-store.ts";
import type { Tokens } from "../src/server/sessions/session.ts";
import { createSessions } from "../src/server/sessions/sessions.ts";

const expired: Tokens = { access: "old", expiresAt: 0, refresh: "refresh-1", id: "id" };
const renewed: Tokens = { access: "new", expiresAt: Number.MAX_SAFE_INTEGER, refresh: "refresh-2", id: "id" };

/** A session whose access token has expired, and an issuer that answers so. */
async function expiredSession(answer: () => Promise<Tokens | undefined>, tokens = expired) {
  const sessions = createSessions(createMemoryStore(), Date.now);
  const { id } = await sessions.create({ subject: "sam", name: null, tokens });
  let renewals = 0;
  const identityProvider = {
    renew: () => {
      renewals += 1;
      return answer();
    },
  };
  const find = createCurrentSession({ sessions, identityProvider, now: Date.now, pollMs: 1 });
  return { sessions, id, find: () => find(id, { act: true }), renewals: () => renewals };
}

it("renews the tokens once for concurrent calls", async () => {
  const { find, renewals } = await expiredSession(async () => renewed);
  const found = await Promise.all([find(), find(), find()]);
  expect(found.map((session) => session?.tokens.access)).toEqual(["new", "new", "new"]);
  expect(renewals()).toBe(1);
});

it("ends the session if the issuer refuses, or gave no refresh token", async () => {
  const refused = await expiredSession(async () => undefined);
  expect(await refused.find()).toBeUndefined();
  const { refresh: _none, ...without } = expired;
  const never = await expiredSession(async () => renewed, without);
  expect([await never.find(), never.renewals()]).toEqual([undefined, 0]);
  for (const { sessions, id } of [refused, never])
    expect(await sessions.find(id, { act: true })).toBeUndefined();
});

it("keeps the session while the issuer is away, and tries again", async () => {
  let isAway = true;
  const { find } = await expiredSession(async () => {
    if (isAway) throw new TypeError("fetch failed");
    return renewed;
  });
  await expect(find()).rejects.toThrow(IssuerUnavailable);
  isAway = false;
  expect(await find()).toMatchObject({ tokens: { access: "new" } });
});

it("does not revive a session that ended during the renewal", async () => {
  const { find, sessions, id } = await expiredSession(async () => {
    await sessions.endAll({ subject: "sam" });
    return renewed;
  });
  expect(await find()).toBeUndefined();
  expect(await sessions.find(id, { act: true })).toBeUndefined();
});
