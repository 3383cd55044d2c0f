import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey } from "../../../src/admission/api-key.ts";
import { type Served, serve } from "../../../src/server/serve.ts";
import { fakeApp, fullKey } from "../../support/fakes.ts";
import { rawRequest } from "../../support/raw-http.ts";
import { callTool, connect } from "./connect.ts";

const keys = {
  results: generateApiKey("test"),
  none: generateApiKey("test"),
  internal: generateApiKey("test", "internal"),
};

const scoped = {
  [keys.results]: ["kyc:read"],
  [keys.none]: [],
  [keys.internal]: ["cards:read"],
} as const;

const { app, gates, lines, searchSlots } = fakeApp({
  keys: scoped,
  rateOf: (_holder, rateClass) => (rateClass === "submissions" ? { calls: 1, seconds: 600 } : undefined),
});

let server: Served;
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
});
afterAll(() => server.close(0));

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** Sends a ping with these headers, over a socket: fetch sets Host itself. */
function post(given: Record<string, string>) {
  const headers = {
    host: new URL(server.url).host,
    connection: "close",
    "content-length": ping.length,
    authorization: `Bearer ${fullKey}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...given,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return rawRequest(server.url, `POST /mcp HTTP/1.1\r\n${lines.join("")}\r\n${ping}`);
}

describe("keys", () => {
  it.each([
    ["kyc:read", keys.results, ["requirements", "result", "search_docs"]],
    ["no scope", keys.none, ["search_docs"]],
  ])("with %s have only their tools, and cannot call others", async (_scope, key, names) => {
    const client = await connect(server.url, key);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    const called = await callTool(client, "cards", { memberId: "member-1" });
    expect(called.text.error).toMatchObject({ code: "SCOPE_MISSING" });
  });

  it("of internal apps name a platform", async () => {
    const unnamed = await connect(server.url, keys.internal);
    const { text } = await callTool(unnamed, "cards", { memberId: "member-1" });
    expect(text.error).toMatchObject({ errors: [{ rule: "platform-required" }] });
    const client = await connect(server.url, keys.internal, "auto", { "x-cardbridge-platform": "plt_1" });
    expect((await callTool(client, "cards", { memberId: "member-1" })).isError).toBe(false);
  });

  it.each(["Bearer cb_test_unknown", "Basic abc", "", `Bearer ${generateApiKey("live")}`])(
    "are required: %s",
    async (authorization) => {
      const { status, headers, body } = await post({ authorization });
      expect([status, JSON.parse(body).code]).toEqual([401, "UNAUTHENTICATED"]);
      expect(headers.toLowerCase()).toContain("www-authenticate: bearer");
    },
  );

  it("have the rates of submissions", async () => {
    const client = await connect(server.url, fullKey);
    await callTool(client, "submit", {});
    const second = await callTool(client, "submit", {});
    expect(second.text).toMatchObject({
      error: { code: "RATE_LIMITED" },
      retryAfterSeconds: expect.any(Number),
    });
    expect((await callTool(client, "cards", { memberId: "member-1" })).isError).toBe(false);
  });
});

describe("Host and Origin", () => {
  it.each([{ host: "evil.test" }, { host: "127.0.0.1.evil.test" }, { origin: "https://evil.test" }])(
    "of others are refused: %o",
    async (headers) => {
      const { status, body } = await post(headers);
      expect([status, body.includes("result")]).toEqual([403, false]);
    },
  );

  it.each([
    {},
    { host: "localhost:3000" },
    { host: "[::1]:3000" },
    { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" },
  ])("of the service and this machine are served: %o", async (headers) => {
    expect((await post(headers)).status).toBe(200);
  });
});

describe("other methods", () => {
  it.each(["GET", "DELETE"])("%s is not allowed: there are no sessions", async (method) => {
    const response = await fetch(`${server.url}/mcp`, {
      method,
      headers: { authorization: `Bearer ${fullKey}`, accept: "text/event-stream" },
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  });
});

it("is not served where the environment is live", async () => {
  const key = generateApiKey("live");
  const live = fakeApp({ environment: "live", keys: { [key]: ["cards:read"] } });
  expect(live.app.routes.map(({ path }) => path)).not.toContain("/mcp");
  for (const method of ["POST", "GET"]) {
    const response = await live.app.request("/mcp", {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(method === "POST" ? { body: ping } : {}),
    });
    expect([response.status, await response.json()]).toMatchObject([404, { code: "ROUTE_NOT_FOUND" }]);
  }
});

it("a search takes one of the slots of searches, and a platform has one", async () => {
  const slot = searchSlots.tryTake("plt_1");
  const client = await connect(server.url, fullKey);
  const search = async () => (await callTool(client, "search_docs", { query: "webhooks" })).text;
  expect(await search()).toMatchObject({
    error: { code: "RATE_LIMITED" },
    retryAfterSeconds: expect.any(Number),
  });
  slot?.release();
  // The documentation of this service has no search index yet.
  expect(await search()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" }, retryAfterSeconds: 3 });
});

it("logs no unexpected error", () => {
  expect(lines.filter((line) => line.includes("unexpected"))).toEqual([]);
});
