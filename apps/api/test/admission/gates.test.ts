import type { Rate, Users } from "@cardbridge/domain";
import { afterEach, describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { serve } from "../../src/server/serve.ts";
import { restList, restSubmit, trpcList, trpcSubmit } from "../support/call.ts";
import { card, fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { rawRequest } from "../support/raw-http.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const other = generateApiKey("test");
const internal = generateApiKey("test", "internal");
const list = { memberId: "member-1" };

/**
 * A server with two slots for operations: each platform can use one. The look-up of the user "held" waits for
 * `release`.
 */
async function startServer(rate?: Rate) {
  const held = Promise.withResolvers<void>();
  let holds = 0;
  let providerHolds = 0;
  const { ports: fakes } = fakePorts({
    async listCards({ status }) {
      if (status === "active") {
        providerHolds += 1;
        await held.promise;
      }
      return { items: [card], total: 1 };
    },
  });
  const find: Users["find"] = async (platformId, who) => {
    if ("memberId" in who && who.memberId === "held") {
      holds += 1;
      await held.promise;
    }
    return fakes.users.find(platformId, { memberId: "member-1" });
  };
  const { app, gates, lines, refusedByHead } = fakeApp({
    ports: { ...fakes, users: { ...fakes.users, find } },
    keys: { [other]: ["cards:read"], [internal]: ["cards:read"] },
    platforms: { [other]: "plt_2" },
    operationsAtOnce: 2,
    rateOf: () => rate,
    // An empty bucket stays empty.
    now: () => 0,
  });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
  closers.push(async () => {
    held.resolve();
    await server.close(0);
  });
  const callerWith = (key: string, platform?: string) => ({
    key,
    fetch(path: string, init: RequestInit = {}) {
      const headers = { ...init.headers, ...(platform && { "x-cardbridge-platform": platform }) };
      return fetch(server.url + path, { ...init, headers });
    },
  });
  const one = callerWith(fullKey);
  return {
    url: server.url,
    one,
    two: callerWith(other),
    forPlatform: callerWith.bind(null, internal),
    refusedByHead,
    release: held.resolve,
    holds: () => holds,
    providerHolds: () => providerHolds,
    requestLines: () => lines.filter((line) => line.includes('"msg":"request"')).length,
    /** Starts a list call of the first platform, which takes its only slot. */
    async useShare() {
      const answer = restList(one, { memberId: "held" });
      await expect.poll(() => holds).toBe(1);
      return { answer };
    },
  };
}

const refused = { status: 429, body: { code: "RATE_LIMITED", success: false } };

it("of 400 calls at once, those behind the first 256 are rejected, and a later call is not", async () => {
  const { gates, refusedByHead } = fakeApp({ operationsAtOnce: 10_000 });
  const path = "/openapi/v1/cards/list";
  const head = { method: "GET", target: path, path, authorization: `Bearer ${fullKey}` };
  const call = (nth: number) =>
    gates({ ...head, address: `10.0.0.${nth}`, platform: undefined, person: undefined });
  const answers = await Promise.all(Array.from({ length: 400 }, (_, nth) => call(nth)));
  const rejected = answers.filter((answer) => answer?.failure);
  // Besides the 256: those that begin at once, and the last one.
  expect(answers.length - rejected.length).toBe(266);
  expect(rejected.every((answer) => answer?.byHead && answer.failure?.code === "RATE_LIMITED")).toBe(true);
  expect(refusedByHead).toEqual(rejected.map(() => "slots plt_1"));
  expect((await call(0))?.failure).toBeUndefined();
});

describe("a platform at its fair limit", () => {
  it.each([
    ["REST", restList],
    ["tRPC", trpcList],
  ])("is rejected over %s from the request head, with the common error body", async (_, call) => {
    const { one, useShare, requestLines, refusedByHead, release } = await startServer();
    const { answer } = await useShare();
    const before = requestLines();
    const refusal = await call(one, list);
    expect(refusal).toMatchObject(refused);
    expect(refusal.headers.get("retry-after")).toBe("2");
    expect(refusal.headers.get("cache-control")).toBe("no-store");
    expect(refusal.headers.get("x-request-id")).toBe((refusal.body as { requestId: string }).requestId);
    expect(requestLines()).toBe(before);
    expect(refusedByHead).toEqual(["slots plt_1"]);
    release();
    expect((await answer).status).toBe(200);
    expect((await call(one, list)).status).toBe(200);
  });

  it("has its submission rejected before the body is read", async () => {
    const { one, useShare, refusedByHead } = await startServer();
    await useShare();
    expect(await restSubmit(one, "{}")).toMatchObject(refused);
    expect(await trpcSubmit(one, "{}")).toMatchObject(refused);
    expect(refusedByHead).toEqual(["slots plt_1", "slots plt_1"]);
  });

  it("limits no other platform, can still check the health, and gets 401 for a wrong key", async () => {
    const { one, two, useShare, refusedByHead } = await startServer();
    await useShare();
    expect((await restList(two, list)).status).toBe(200);
    expect((await one.fetch("/health/live")).status).toBe(200);
    expect((await restList({ ...one, key: generateApiKey("test") }, list)).status).toBe(401);
    expect(refusedByHead).toEqual([]);
  });

  it("regains its slot while a list waits for the provider", async () => {
    const { one, providerHolds, release, refusedByHead } = await startServer();
    const waiting = restList(one, { ...list, status: "active" });
    await expect.poll(providerHolds).toBe(1);
    expect((await restList(one, list)).status).toBe(200);
    expect(refusedByHead).toEqual([]);
    release();
    expect((await waiting).status).toBe(200);
  });

  it("takes a slot for each call of a batch", async () => {
    const { one, holds, release } = await startServer();
    const inputs = encodeURIComponent(JSON.stringify({ 0: { memberId: "held" }, 1: list }));
    const batch = one.fetch(`/trpc/cards.list,cards.list?batch=1&input=${inputs}`, {
      headers: { authorization: `Bearer ${one.key}` },
    });
    await expect.poll(() => holds()).toBe(1);
    release();
    const answers = (await (await batch).json()) as { error?: { data: { code: string } } }[];
    expect(answers.map(({ error }) => error?.data.code)).toEqual([undefined, "TOO_MANY_REQUESTS"]);
  });

  it("an internal app has one share, whichever platforms it names, and takes none of theirs", async () => {
    const { one, forPlatform, holds, refusedByHead } = await startServer();
    const held = restList(forPlatform("plt_1"), { memberId: "held" });
    held.catch(() => {});
    await expect.poll(holds).toBe(1);
    expect(await restList(forPlatform("plt_1"), list)).toMatchObject(refused);
    // A list without a platform would be 400.
    expect(await restList(forPlatform(), list)).toMatchObject(refused);
    expect(refusedByHead).toEqual(["slots key_3", "slots key_3"]);
    expect((await restList(one, list)).status).toBe(200);
  });
});

describe("the connection of a request that is rejected before its body is read", () => {
  const head = (more: string[]) => [
    "POST /openapi/v1/users/kyc HTTP/1.1",
    "host: a",
    `authorization: Bearer ${fullKey}`,
    ...more,
  ];
  const post = (more: string[], body: string) => [...head(more), "", body].join("\r\n");

  /** A server that rejects every further submission. */
  async function startExceeded() {
    const server = await startServer({ calls: 1, seconds: 86_400 });
    expect((await restSubmit(server.one, "{}")).status).toBe(400);
    return server;
  }

  it("stays open after a small body", async () => {
    const { url, refusedByHead } = await startExceeded();
    const small = post(["content-length: 2"], "{}");
    const last = post(["content-length: 2", "connection: close"], "{}");
    const answers = await rawRequest(url, small, small, last);
    expect(`${answers.headers}${answers.body}`.match(/HTTP\/1.1 429/gi)).toHaveLength(3);
    expect(refusedByHead).toHaveLength(3);
  });

  it.each([
    ["a large body", "content-length: 4000000", " ".repeat(4_000_000)],
    ["a body of unknown length", "transfer-encoding: chunked", "0\r\n\r\n"],
  ])("closes after %s", async (_, announced, body) => {
    const { url, refusedByHead } = await startExceeded();
    const answer = await rawRequest(url, post([announced], body));
    expect([answer.status, answer.reset]).toEqual([429, false]);
    expect(answer.headers).toContain("connection: close");
    expect(refusedByHead).toHaveLength(1);
  });
});
