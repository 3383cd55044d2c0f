import { Failure, type KycChangeEvent, type KycChangePage, type Person } from "@cardbridge/domain";
import type { Call } from "@cardbridge/service";
import { afterEach, describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { fakeApp, fullKey } from "../support/fakes.ts";
import { until } from "../support/until.ts";
import { codeOf, ids, openStream, pageOf, withKycChanges } from "./open-stream.ts";

/** The subscription kyc.changes over a socket, with changes that the test makes. */
let server: Served | undefined;
afterEach(() => server?.close(0));

const change = (number: number): KycChangeEvent => ({
  id: `${number}-1`,
  type: "kyc.updated",
  environment: "test",
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

interface Options
  extends Pick<AppOptions, "rateOf" | "now" | "waitForPage" | "operationsAtOnce" | "personOf"> {
  capacity?: number;
  lifetimeMs?: number;
  checkKeyMs?: number;
}

const narrowKey = generateApiKey("test");
const otherKey = generateApiKey("test");
const secondKey = generateApiKey("test");
const appKey = generateApiKey("test", "internal");

async function service({ capacity = 8, lifetimeMs = 60_000, checkKeyMs, ...options }: Options = {}) {
  /** The number of changes that exist. */
  const state = { changes: 0, reads: [] as string[], broken: false };
  const page = ({ platformId }: Call, lastEventId: string | undefined): KycChangePage => {
    state.reads.push(platformId);
    if (state.broken) throw new TypeError("secret-canary");
    return pageOf(state.changes, platformId === "plt_1" ? lastEventId : undefined, change);
  };
  const slots = createFairSemaphore({ capacity });
  const { app, ...parts } = fakeApp({
    operations: withKycChanges(page),
    subscriptions: { slots, lifetimeMs, pollMs: 10, checkKeyMs },
    keys: {
      [narrowKey]: ["cards:read"],
      [otherKey]: ["kyc:read"],
      [secondKey]: ["kyc:read"],
      [appKey]: ["kyc:read"],
    },
    platforms: { [otherKey]: "plt_2" },
    ...options,
  });
  const served = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
  server = served;
  const subscribe = (headers: Record<string, string> = {}, query = "", key = fullKey) =>
    openStream(`${served.url}/trpc/kyc.changes${query}`, { authorization: `Bearer ${key}`, ...headers });
  return { ...parts, state, subscribe, served };
}

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
    // The input can have the position as well.
    const input = encodeURIComponent(JSON.stringify({ lastEventId: "437-1" }));
    const second = await subscribe({}, `?input=${input}`);
    const rest = ids(await second.messages(563));
    expect([rest[0], rest.at(-1), rest.length]).toEqual(["438-1", "1000-1", 563]);
    state.changes = 1_001;
    expect(ids(await second.messages(1))).toEqual(["1001-1"]);
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

/** Waits of pages that end when the test says so. */
function manualWaits() {
  const seconds: number[] = [];
  const aborted: unknown[] = [];
  const ends: (() => void)[] = [];
  const waitForPage = (time: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      seconds.push(time);
      ends.push(resolve);
      signal.addEventListener("abort", () => {
        aborted.push(signal.reason);
        reject(signal.reason);
      });
    });
  return { seconds, aborted, waitForPage, end: () => ends.shift()?.() };
}

describe("each page that a subscription reads", () => {
  it("takes a token of the read rate, waits for one without reading, and continues", async () => {
    const clock = { now: 0 };
    const { seconds, waitForPage, end } = manualWaits();
    const rateOf = () => ({ calls: 3, seconds: 60 });
    const { state, subscribe } = await service({ rateOf, now: () => clock.now, waitForPage });
    state.changes = 500;
    const { messages } = await subscribe(after("0-9"));
    expect(ids(await messages(300)).at(-1)).toBe("300-1");
    const next = messages(100);
    await until(() => seconds.length > 0);
    expect([seconds, state.reads.length]).toEqual([[20], 3]);
    clock.now = 20_000;
    end();
    expect(ids(await next).at(-1)).toBe("400-1");
    await until(() => seconds.length > 1);
    expect([seconds, state.reads.length]).toEqual([[20, 20], 4]);
  });

  it.each([
    ["a page of its own", 500],
    ["the poll of all subscribers", 0],
  ])("ends its wait when the last subscriber leaves: %s", async (_name, changes) => {
    const { seconds, aborted, waitForPage } = manualWaits();
    const rateOf = () => ({ calls: 1, seconds: 60 });
    const { state, subscribe } = await service({ rateOf, now: () => 0, waitForPage });
    state.changes = changes;
    const { messages, leave } = await subscribe(changes > 0 ? after("0-9") : {});
    await messages(changes > 0 ? 100 : 1);
    await until(() => seconds.length > 0);
    leave();
    await until(() => aborted.length > 0);
    expect(state.reads).toHaveLength(1);
  });
});

describe("the key of an open subscription", () => {
  const unauthenticated = {
    event: "serialized-error",
    data: { data: { code: "UNAUTHORIZED", httpStatus: 401, problem: { code: "UNAUTHENTICATED" } } },
  };

  it("is checked again: a revoked key's stream ends with the error of a call, another key's continues", async () => {
    const { state, subscribe, revoke } = await service({ checkKeyMs: 10 });
    const [revoked, other] = [await subscribe(), await subscribe({}, "", secondKey)];
    await Promise.all([revoked.messages(1), other.messages(1)]);
    revoke(fullKey);
    expect((await revoked.events.next()).value).toMatchObject(unauthenticated);
    expect(await revoked.events.next()).toMatchObject({ done: true });
    state.changes = 1;
    expect(ids(await other.messages(1))).toEqual(["1-1"]);
  });
});

describe("a subscription for a person", () => {
  const expiring = (ms: number): Person => ({
    personId: "per_1",
    roles: ["viewer"],
    platforms: ["plt_1"],
    authenticatedAt: null,
    expiresAt: new Date(Date.now() + ms),
  });
  const ofPlatform = (platformId: string) => `?input=${encodeURIComponent(JSON.stringify({ platformId }))}`;

  it("ends without an error when the token expires, and continues with a new one", async () => {
    // The token's time begins with its first use, however slow the machine is.
    const token: { person: Person | undefined; ms: number } = { person: undefined, ms: 200 };
    const personOf = () => {
      token.person ??= expiring(token.ms);
      if (token.person.expiresAt.getTime() <= Date.now()) throw new Failure("UNAUTHENTICATED");
      return token.person;
    };
    const { state, subscribe } = await service({ personOf, checkKeyMs: 10 });
    const { events } = await subscribe({}, ofPlatform("plt_1"), appKey);
    state.changes = 2;
    const found = [];
    for await (const { event, id } of events) found.push(event ?? id ?? "");
    expect(found).not.toContain("serialized-error");
    const last = after(found.at(-1) ?? "");
    expect(await codeOf(await subscribe(last, ofPlatform("plt_1"), appKey))).toEqual([
      401,
      "UNAUTHENTICATED",
    ]);

    Object.assign(token, { person: undefined, ms: 60_000 });
    const renewed = await subscribe(last, ofPlatform("plt_1"), appKey);
    state.changes = 3;
    const rest = ids(await renewed.messages(3 - (found.length - 2)));
    expect([...found, ...rest]).toEqual(["connected", "0-9", "1-1", "2-1", "3-1"]);
  });

  it("ends with the failure of a call when the person is blocked", async () => {
    const state = { blocked: false };
    const personOf = () => {
      if (state.blocked) throw new Failure("PERSON_BLOCKED");
      return expiring(60_000);
    };
    const { subscribe } = await service({ personOf, checkKeyMs: 10 });
    const { messages, events } = await subscribe({}, ofPlatform("plt_1"), appKey);
    await messages(1);
    state.blocked = true;
    expect((await events.next()).value).toMatchObject({
      event: "serialized-error",
      data: { data: { problem: { code: "PERSON_BLOCKED" } } },
    });
  });
});

describe("an internal app's subscription to a platform's changes", () => {
  it("uses the slots of the app, so that the platform keeps its own", async () => {
    const { subscribe } = await service({ capacity: 4 });
    const input = `?input=${encodeURIComponent(JSON.stringify({ platformId: "plt_1" }))}`;
    for (const status of [200, 200, 429]) {
      expect((await subscribe({}, input, appKey)).response.status).toBe(status);
    }
    expect((await subscribe()).response.status).toBe(200);
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
});
