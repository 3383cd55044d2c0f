import { type KycChangeEvent, type KycChangePage, maxChangesOfPage } from "@cardbridge/domain";
import { afterEach, describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { createSubscriptions } from "../../src/trpc/subscriptions.ts";
import { eventsOf, type StreamEvent } from "../support/event-stream.ts";
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { until } from "../support/until.ts";

/** The subscription kyc.changes over a socket, with changes that the test makes. */
let server: Served | undefined;
afterEach(() => server?.close(0));

const change = (number: number): KycChangeEvent => ({
  id: `${number}-1`,
  type: "kyc.updated",
  timestamp: "2026-01-31T12:00:00.000Z",
  data: {
    kycRecordId: `kyc_${number}`,
    externalUserId: "usr_1",
    sequence: 1,
    code: "KYC_ACCEPTED",
    status: "PENDING",
    subStatus: null,
    cardAccountId: null,
    reasons: [],
  },
});

type AppOptions = NonNullable<Parameters<typeof fakeApp>[0]>;

interface Options extends Pick<AppOptions, "keys" | "platforms" | "rateOf" | "now"> {
  capacity?: number;
  lifetimeMs?: number;
}

const narrowKey = generateApiKey("test");
const otherKey = generateApiKey("test");

async function service({ capacity = 8, lifetimeMs = 60_000, ...options }: Options = {}) {
  /** The number of changes that exist. */
  const state = { changes: 0, reads: [] as string[], broken: false };
  const { ports } = fakePorts();
  ports.kycChanges.after = async (platformId, lastEventId): Promise<KycChangePage> => {
    state.reads.push(platformId);
    if (state.broken) throw new TypeError("secret-canary");
    if (platformId !== "plt_1" || lastEventId === undefined) {
      return { changes: [], lastEventId: `${state.changes}-9`, more: false };
    }
    const from = Number(lastEventId.split("-")[0]);
    const to = Math.min(state.changes, from + maxChangesOfPage);
    const changes = Array.from({ length: Math.max(0, to - from) }, (_, index) => change(from + index + 1));
    return { changes, lastEventId: `${Math.max(from, to)}-9`, more: to < state.changes };
  };
  const slots = createFairSemaphore({ capacity });
  const subscriptions = createSubscriptions({ slots, lifetimeMs, pollMs: 10 });
  const { app, lines } = fakeApp({
    ports,
    subscriptions,
    keys: { [narrowKey]: ["cards:read"], [otherKey]: ["kyc:read"] },
    platforms: { [otherKey]: "plt_2" },
    ...options,
  });
  const served = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
  server = served;
  async function subscribe(headers: Record<string, string> = {}, query = "", key = fullKey) {
    const leaving = new AbortController();
    const response = await fetch(`${served.url}/trpc/kyc.changes${query}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
      signal: leaving.signal,
    });
    const events = eventsOf(response);
    /** Reads `count` messages; fewer if the response ends. */
    async function messages(count: number): Promise<StreamEvent[]> {
      const found: StreamEvent[] = [];
      while (found.length < count) {
        const { done, value } = await events.next();
        if (done) return found;
        if (value.event === undefined) found.push(value);
      }
      return found;
    }
    return { response, messages, leave: () => leaving.abort(), events };
  }
  return { state, subscriptions, subscribe, lines, served };
}

async function codeOf({ response }: { response: Response }) {
  const { error } = (await response.json()) as { error: { data: { problem: { code: string } } } };
  return [response.status, error.data.problem.code];
}

const ids = (events: StreamEvent[]) => events.map(({ id }) => id);
const after = (id: string) => ({ "last-event-id": id });

describe("kyc.changes", () => {
  it("starts with its position, and then sends each change as a webhook event", async () => {
    const { state, subscribe } = await service();
    state.changes = 3;
    const { response, messages } = await subscribe();
    expect([
      response.status,
      response.headers.get("content-type"),
      response.headers.get("cache-control"),
    ]).toEqual([200, "text/event-stream", "no-store, no-transform"]);
    expect(await messages(1)).toMatchObject([{ id: "3-9", data: { type: "subscription.started" } }]);
    state.changes = 4;
    const { id, ...event } = change(4);
    expect(await messages(1)).toEqual([{ event: undefined, id, data: event }]);
  });

  it("continues after the last id, over many pages, and repeats nothing", async () => {
    const { state, subscribe } = await service();
    state.changes = 1_000;
    const first = await subscribe(after("0-9"));
    expect(ids(await first.messages(437)).at(-1)).toBe("437-1");
    first.leave();
    const second = await subscribe(after("437-1"));
    const rest = ids(await second.messages(563));
    expect([rest[0], rest.at(-1), rest.length]).toEqual(["438-1", "1000-1", 563]);
    state.changes = 1_001;
    expect(ids(await second.messages(1))).toEqual(["1001-1"]);
  });

  it("takes the position from the input as well", async () => {
    const { state, subscribe } = await service();
    state.changes = 2;
    const input = encodeURIComponent(JSON.stringify({ lastEventId: "1-1" }));
    expect(ids(await (await subscribe({}, `?input=${input}`)).messages(1))).toEqual(["2-1"]);
  });

  it("polls once for all subscribers of a platform, and each gets every change once", async () => {
    const { state, subscribe } = await service({ capacity: 64 });
    const all = await Promise.all(Array.from({ length: 20 }, () => subscribe()));
    await Promise.all(all.map(({ messages }) => messages(1)));
    const before = state.reads.length;
    state.changes = 250;
    const found = await Promise.all(all.map(({ messages }) => messages(250)));
    for (const events of found) expect(new Set(ids(events)).size).toBe(250);
    // Three pages, shared, and polls without changes. Without sharing, 20 subscribers read 60 pages.
    expect(state.reads.length - before).toBeLessThan(40);
  });

  it("sends nothing to another platform", async () => {
    const { state, subscribe } = await service();
    const other = await subscribe(after("0-9"), "", otherKey);
    state.changes = 2;
    const own = await subscribe(after("0-9"));
    expect(ids(await own.messages(2))).toEqual(["1-1", "2-1"]);
    expect(state.reads).toContain("plt_2");
    const seen = other.messages(1);
    await server?.close(0);
    await expect(seen.catch(() => [])).resolves.toEqual([]);
  });

  it("reports a failed read in an event without details, and ends", async () => {
    const { state, subscribe, lines } = await service();
    const { messages, events } = await subscribe();
    await messages(1);
    state.broken = true;
    const { value } = await events.next();
    expect(value).toMatchObject({
      event: "serialized-error",
      data: { data: { code: "INTERNAL_SERVER_ERROR", problem: { code: "INTERNAL_ERROR" } } },
    });
    expect(JSON.stringify(value)).not.toContain("canary");
    expect(await events.next()).toMatchObject({ done: true });
    expect(lines.filter((line) => line.includes("unexpected error"))).toHaveLength(1);
  });
});

describe("the limits of subscriptions", () => {
  it("reject a platform over its fair limit, and release the slot of a closed subscription", async () => {
    const { subscribe, lines } = await service({ capacity: 4 });
    const [one] = [await subscribe(), await subscribe()];
    const refused = await subscribe();
    expect(await codeOf(refused)).toEqual([429, "RATE_LIMITED"]);
    expect(refused.response.headers.get("retry-after")).toBe("2");
    one?.leave();
    await until(async () => (await subscribe()).response.status === 200);
    expect(lines.filter((line) => line.includes("unexpected error"))).toEqual([]);
  });

  it("end a subscription after its lifetime without a final event", async () => {
    const { state, subscribe } = await service({ lifetimeMs: 50 });
    state.changes = 2;
    const { events } = await subscribe(after("0-9"));
    const found = [];
    for await (const event of events) found.push(event);
    expect(found.map(({ event, id }) => event ?? id)).toEqual(["connected", "1-1", "2-1"]);
  });

  it("end all subscriptions at once when the process stops, and refuse new ones", async () => {
    const { subscribe, subscriptions, served } = await service();
    const all = await Promise.all([subscribe(), subscribe(), subscribe()]);
    subscriptions.close();
    const refused = await subscribe();
    expect(await codeOf(refused)).toEqual([503, "SERVICE_UNAVAILABLE"]);
    for (const { messages } of all) expect(await messages(9)).toHaveLength(1);
    // Closing the server here would wait a minute for open responses.
    await served.close(60_000);
  });
});

describe("a subscription that cannot start gets an HTTP status and an error body", () => {
  it.each<[string, number, string, Record<string, string>, string, string?]>([
    ["an unknown key", 401, "UNAUTHENTICATED", {}, "", "cb_test_wrong"],
    ["a key without the scope", 403, "SCOPE_MISSING", {}, "", narrowKey],
    ["another platform", 403, "PLATFORM_FORBIDDEN", { "x-cardbridge-platform": "plt_3" }, ""],
    ["an invalid position", 400, "INVALID_INPUT", after("1"), ""],
    ["an unknown parameter", 400, "INVALID_INPUT", {}, `?input=${encodeURIComponent('{"from":"1-1"}')}`],
  ])("for %s", async (_name, status, code, headers, query, key) => {
    const { subscribe } = await service();
    expect(await codeOf(await subscribe(headers, query, key))).toEqual([status, code]);
  });

  it("beyond the rate limit of reads", async () => {
    const { subscribe } = await service({ rateOf: () => ({ calls: 1, seconds: 60 }), now: () => 0 });
    expect((await subscribe()).response.status).toBe(200);
    expect(await codeOf(await subscribe())).toEqual([429, "RATE_LIMITED"]);
  });

  it("in a batch, or with POST", async () => {
    const { subscribe, served } = await service();
    expect((await subscribe({}, "?batch=1")).response.status).toBe(400);
    const init = { method: "POST", headers: { authorization: `Bearer ${fullKey}` } };
    const posted = await fetch(`${served.url}/trpc/kyc.changes`, init);
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
  });
});
