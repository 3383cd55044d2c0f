import { maxChangesOfPage, type Person, type RecordChangeEvent } from "@cardbridge/domain";
import { afterEach, describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { eventsOf, type StreamEvent } from "../support/event-stream.ts";
import { fakeApp, fakePorts } from "../support/fakes.ts";
import { until } from "../support/until.ts";

/** The subscription records.changes over a socket, with changes that the test makes. */
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
  const state = { changes: 0, reads: [] as string[], person: undefined as Person | undefined };
  const { ports } = fakePorts();
  ports.platforms.find = (platformId) => ({ platformId });
  ports.recordSearch.changes = async (platforms, lastEventId) => {
    state.reads.push(platforms.toString());
    if (lastEventId === undefined) return { changes: [], lastEventId: `${state.changes}-9`, more: false };
    const from = Number(lastEventId.split("-")[0]);
    const to = Math.min(state.changes, from + maxChangesOfPage);
    const changes = Array.from({ length: Math.max(0, to - from) }, (_, index) => change(from + index + 1));
    return {
      changes: changes.filter(({ platformId }) => platforms === "all" || platforms.includes(platformId)),
      lastEventId: `${Math.max(from, to)}-9`,
      more: to < state.changes,
    };
  };
  const { app, operationSlots } = fakeApp({
    ports,
    keys: { [appKey]: ["ops.records.read"], [otherKey]: ["ops.records.read"], [narrowKey]: ["cards:read"] },
    subscriptions: { slots: createFairSemaphore({ capacity: 64 }), pollMs: 10 },
    personOf: () => state.person,
  });
  const served = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
  server = served;
  async function subscribe(input: object, headers: Record<string, string> = {}, key = appKey) {
    const query = encodeURIComponent(JSON.stringify(input));
    const response = await fetch(`${served.url}/trpc/records.changes?input=${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    const events = eventsOf(response);
    async function messages(count: number): Promise<StreamEvent[]> {
      const found: StreamEvent[] = [];
      while (found.length < count) {
        const { done, value } = await events.next();
        if (done) return found;
        if (value.event === undefined) found.push(value);
      }
      return found;
    }
    return { response, messages };
  }
  return { state, subscribe, operationSlots };
}

const ids = (events: StreamEvent[]) => events.map(({ id }) => id);

describe("records.changes", () => {
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

  it("continues after the last id, over many pages, and repeats nothing", async () => {
    const { state, subscribe } = await service();
    state.changes = 300;
    const { messages } = await subscribe({}, { "last-event-id": "137-1" });
    const rest = ids(await messages(163));
    expect([rest[0], rest.at(-1), new Set(rest).size]).toEqual(["138-1", "300-1", 163]);
  });

  it("sends the changes of the named platforms on its later pages too", async () => {
    const { state, subscribe } = await service();
    const { messages } = await subscribe({ platformIds: ["plt_1"] });
    await messages(1);
    state.changes = 4;
    expect(ids(await messages(2))).toEqual(["2-1", "4-1"]);
  });

  it("sends a person the changes of the person's platforms only", async () => {
    const { state, subscribe } = await service();
    state.person = person(["plt_2"]);
    const { messages } = await subscribe({});
    await messages(1);
    state.changes = 3;
    expect(ids(await messages(2))).toEqual(["1-1", "3-1"]);
    const { response } = await subscribe({ platformIds: ["plt_1"] });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining("PLATFORM_NOT_FOUND"),
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
    const before = state.reads.length;
    state.changes = 250;
    const found = await Promise.all(all.map(({ messages }) => messages(250)));
    for (const events of found) expect(new Set(ids(events)).size).toBe(250);
    expect(state.reads.length - before).toBeLessThan(40);
  });

  it("does not share pages with other platforms, other persons' platforms or another app", async () => {
    const { state, subscribe } = await service();
    const one = await subscribe({ platformIds: ["plt_1"] });
    const all = await subscribe({});
    const other = await subscribe({}, {}, otherKey);
    state.person = person(["plt_2"]);
    const two = await subscribe({});
    for (const { messages } of [one, two, all, other]) await messages(1);
    state.changes = 4;
    expect(ids(await one.messages(2))).toEqual(["2-1", "4-1"]);
    expect(ids(await two.messages(2))).toEqual(["1-1", "3-1"]);
    expect(ids(await all.messages(4))).toHaveLength(4);
    expect(ids(await other.messages(4))).toHaveLength(4);
  });

  it("takes the slots of its app for its pages, and returns them", async () => {
    const { state, subscribe, operationSlots } = await service();
    const { messages } = await subscribe({});
    await messages(1);
    state.changes = 1;
    await messages(1);
    await until(() => operationSlots.usage().inUse === 0);
  });

  it.each([
    ["a key without the scope", 403, "SCOPE_MISSING", {}, narrowKey],
    ["an invalid position", 400, "change-position", { lastEventId: "x" }, appKey],
    ["an unknown parameter", 400, "unknown-parameter", { platformId: "plt_1" }, appKey],
  ])("refuses %s before it begins", async (_name, status, code, input, key) => {
    const { subscribe } = await service();
    const { response } = await subscribe(input, {}, key);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(code)]);
  });
});
