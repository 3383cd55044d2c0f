import type { Person, RecordChangeEvent } from "@cardbridge/domain";
import { namedPlatforms } from "@cardbridge/service";
import { returning } from "@cardbridge/service/testing";
import { afterEach, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { fakeApp, fakePorts, knownPlatforms } from "../support/fakes.ts";
import { codeOf, ids, openStream, pageOf } from "./open-stream.ts";

/** The subscription records.changes over a socket: what it adds to kyc.changes, with changes that the test makes. */
let server: Served | undefined;
afterEach(() => server?.close(0));

const appKey = generateApiKey("test", "internal");
const otherKey = generateApiKey("test", "internal");
const narrowKey = generateApiKey("test", "internal");

const change = (number: number): RecordChangeEvent => ({
  id: `${number}-1`,
  timestamp: "2026-01-31T12:00:00.000Z",
  platformId: `plt_${1 + (number % 2)}`,
  kycRecordId: `kyc_${number}`,
  externalUserId: "usr_1",
  status: "APPROVED",
});

const person = (platforms: Person["platforms"]): Person => ({
  personId: "per_1",
  roles: ["viewer"],
  platforms,
  authenticatedAt: null,
  expiresAt: new Date(Date.now() + 600_000),
});

async function service() {
  const state = { changes: 0, reads: 0, person: undefined as Person | undefined };
  const { ports } = fakePorts();
  ports.cache = knownPlatforms(() => true);
  const { app } = fakeApp({
    ports,
    operations: ({ records, ...others }) => {
      const listChanges = returning(records.listChanges, (call, { platformIds, lastEventId }) => {
        state.reads += 1;
        const platforms = namedPlatforms(call, platformIds);
        const { changes, ...page } = pageOf(state.changes, lastEventId, change);
        const isVisible = ({ platformId }: RecordChangeEvent) =>
          platforms === "all" || platforms.includes(platformId);
        return { ...page, changes: changes.filter(isVisible) };
      });
      return { ...others, records: { ...records, listChanges } };
    },
    keys: { [appKey]: ["ops.records.read"], [otherKey]: ["ops.records.read"], [narrowKey]: ["cards:read"] },
    subscriptions: { slots: createFairSemaphore({ capacity: 64 }), pollMs: 10 },
    personOf: () => state.person,
  });
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
  const { url } = server;
  const subscribe = (input: object, key = appKey) => {
    const query = encodeURIComponent(JSON.stringify(input));
    return openStream(`${url}/trpc/records.changes?input=${query}`, { authorization: `Bearer ${key}` });
  };
  return { state, subscribe };
}

it("starts with its position, and then sends each change", async () => {
  const { state, subscribe } = await service();
  state.changes = 3;
  const { messages } = await subscribe({});
  expect(await messages(1)).toMatchObject([{ id: "3-9", data: { type: "subscription.started" } }]);
  state.changes = 4;
  const { id, timestamp, ...data } = change(4);
  expect(await messages(1)).toEqual([
    { event: undefined, id, data: { type: "record.changed", timestamp, data } },
  ]);
});

it("polls once for all subscribers of an app to the same platforms, in any order", async () => {
  const { state, subscribe } = await service();
  const sets = [
    ["plt_1", "plt_2"],
    ["plt_2", "plt_1"],
    ["plt_1", "plt_2", "plt_1"],
  ];
  const all = await Promise.all(
    Array.from({ length: 15 }, (_, nth) => subscribe({ platformIds: sets[nth % 3] })),
  );
  await Promise.all(all.map(({ messages }) => messages(1)));
  const before = state.reads;
  state.changes = 250;
  const found = await Promise.all(all.map(({ messages }) => messages(250)));
  for (const events of found) expect(new Set(ids(events)).size).toBe(250);
  expect(state.reads - before).toBeLessThan(40);
});

it("sends the changes of the named platforms, or of the person's, and shares no page with others", async () => {
  const { state, subscribe } = await service();
  const one = await subscribe({ platformIds: ["plt_1"] });
  const all = await subscribe({});
  const other = await subscribe({}, otherKey);
  state.person = person(["plt_2"]);
  const two = await subscribe({});
  expect(await codeOf(await subscribe({ platformIds: ["plt_1"] }))).toEqual([404, "PLATFORM_NOT_FOUND"]);
  for (const { messages } of [one, two, all, other]) await messages(1);
  state.changes = 4;
  expect(ids(await one.messages(2))).toEqual(["2-1", "4-1"]);
  expect(ids(await two.messages(2))).toEqual(["1-1", "3-1"]);
  expect(ids(await all.messages(4))).toHaveLength(4);
  expect(ids(await other.messages(4))).toHaveLength(4);
});

it("refuses a key without the scope before it begins", async () => {
  const { subscribe } = await service();
  expect(await codeOf(await subscribe({}, narrowKey))).toEqual([403, "SCOPE_MISSING"]);
});
