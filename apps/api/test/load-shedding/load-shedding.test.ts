import type { Rate } from "@cardbridge/domain";
import { afterEach, describe, expect, it } from "vitest";
import { mintApiKey } from "../../src/api-keys/api-key.ts";
import { serve } from "../../src/server/serve.ts";
import { restList, restSubmit, trpcList, trpcSubmit } from "../support/call.ts";
import { card, fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { rawRequest } from "../support/raw-http.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const other = mintApiKey("live");
const internal = mintApiKey("int");
const list = { memberId: "member-1" };

/**
 * A server with two places for reads and two for writes, so that one platform has one of each. The provider holds its
 * answers to lists of active cards until `release`.
 */
async function startServer(rate?: Rate) {
  const held = Promise.withResolvers<void>();
  let holds = 0;
  const { ports } = fakePorts({
    async listCards({ status }) {
      if (status === "active") {
        holds += 1;
        await held.promise;
      }
      return { items: [card], total: 1 };
    },
  });
  const { app, shed, lines, lookUps, refusedByHead } = fakeApp({
    ports,
    keys: { [other]: ["cards:read"], [internal]: ["cards:read"] },
    platforms: { [other]: "plt_2" },
    operationsAtOnce: 2,
    rateOf: () => rate,
    // An empty bucket stays empty.
    now: () => 0,
  });
  const server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { shed });
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
    ...{ url: server.url, one, two: callerWith(other), forPlatform: callerWith.bind(null, internal) },
    ...{ lookUps, refusedByHead, release: held.resolve },
    requestLines: () => lines.filter((line) => line.includes('"msg":"request"')).length,
    /** Starts a list of platform One, which takes its only place for reads. */
    async useShare() {
      const answer = restList(one, { ...list, status: "active" });
      await expect.poll(() => holds).toBe(1);
      return { answer };
    },
  };
}

const refused = { status: 429, body: { code: "RATE_LIMITED", success: false, status: 429 } };

describe("a platform that uses its share", () => {
  it.each([
    ["REST", restList],
    ["tRPC", trpcList],
  ])("is refused over %s by the head, in the shape of every error", async (_, call) => {
    const { one, useShare, lookUps, requestLines, refusedByHead, release } = await startServer();
    const { answer } = await useShare();
    const before = [lookUps.length, requestLines()];
    const refusal = await call(one, list);
    expect(refusal).toMatchObject(refused);
    expect(refusal.headers.get("retry-after")).toBe("2");
    expect(refusal.headers.get("cache-control")).toBe("no-store");
    expect(refusal.headers.get("x-request-id")).toBe((refusal.body as { requestId: string }).requestId);
    expect([lookUps.length, requestLines()]).toEqual(before);
    expect(refusedByHead).toEqual(["share plt_1"]);
    release();
    expect((await answer).status).toBe(200);
    expect((await call(one, list)).status).toBe(200);
  });

  it("gets tRPC's own errors from tRPC", async () => {
    const { one, useShare } = await startServer();
    await useShare();
    const headers = { authorization: `Bearer ${one.key}` };
    const refusal = await one.fetch(`/trpc/cards.list?input=${encodeURIComponent("{}")}`, { headers });
    expect(await refusal.json()).toMatchObject({ error: { data: { code: "TOO_MANY_REQUESTS" } } });
  });

  it("still writes, has its health checked, and gets 401 for a wrong key", async () => {
    const { one, useShare, refusedByHead } = await startServer();
    await useShare();
    expect((await restSubmit(one, "{}")).status).toBe(400);
    expect((await trpcSubmit(one, "{}")).status).toBe(400);
    expect((await one.fetch("/health/live")).status).toBe(200);
    expect((await restList({ ...one, key: mintApiKey("test") }, list)).status).toBe(401);
    expect(refusedByHead).toEqual([]);
  });

  it("takes nothing from another platform, also where one key calls for both", async () => {
    const { two, forPlatform, useShare, refusedByHead } = await startServer();
    await useShare();
    // The first one is refused after its authentication, and remembered.
    expect(await restList(forPlatform("plt_1"), list)).toMatchObject(refused);
    expect(refusedByHead).toEqual([]);
    expect(await restList(forPlatform("plt_1"), list)).toMatchObject(refused);
    expect(refusedByHead).toEqual(["share plt_1"]);
    // A list without a platform is invalid, which only an admitted call is told.
    for (const caller of [two, forPlatform()]) {
      const statuses = [(await restList(caller, list)).status, (await restList(caller, list)).status];
      expect(statuses).toEqual(caller === two ? [200, 200] : [400, 400]);
    }
  });
});

describe("a platform that exceeds its rate", () => {
  it("is refused by the head, with the state of its limit", async () => {
    const { one, two, lookUps, refusedByHead } = await startServer({ calls: 1, seconds: 60 });
    expect((await restList(one, list)).status).toBe(200);
    const authenticated = await restList(one, list);
    const count = lookUps.length;
    const byHead = await restList(one, list);
    expect([lookUps.length, refusedByHead]).toEqual([count, ["rate plt_1"]]);
    for (const refusal of [authenticated, byHead]) {
      expect(refusal).toMatchObject(refused);
      expect(refusal.headers.get("ratelimit")).toBe('"reads";r=0;t=60');
      expect(refusal.headers.get("ratelimit-policy")).toBe('"reads";q=1;w=60');
      expect(refusal.headers.get("retry-after")).toBe("60");
    }
    expect((await restList(two, list)).status).toBe(200);
  });
});

describe("the connection of a request that is refused by its head", () => {
  const head = (more: string[]) => [
    "POST /openapi/v1/users/kyc HTTP/1.1",
    "host: a",
    `authorization: Bearer ${fullKey}`,
    ...more,
  ];
  const post = (more: string[], body: string) => [...head(more), "", body].join("\r\n");

  /** A server that refuses every further submission. */
  async function startExceeded() {
    const server = await startServer({ calls: 1, seconds: 86_400 });
    for (const status of [400, 429]) expect((await restSubmit(server.one, "{}")).status).toBe(status);
    return server;
  }

  it("stays open after a small body", async () => {
    const { url, refusedByHead } = await startExceeded();
    const last = post(["content-length: 2", "connection: close"], "{}");
    const answers = await rawRequest(
      url,
      post(["content-length: 2"], "{}"),
      post(["content-length: 2"], "{}"),
      last,
    );
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
