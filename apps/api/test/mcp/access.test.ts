import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { type Served, serve } from "../../src/server/serve.ts";
import { restList, withoutRequestId } from "../support/call.ts";
import { fakeApp, fullKey } from "../support/fakes.ts";
import { rawRequest } from "../support/raw-http.ts";
import { callTool, connect } from "./connect.ts";

const keys = {
  cards: generateApiKey("test"),
  results: generateApiKey("test"),
  none: generateApiKey("test"),
  internal: generateApiKey("test", "internal"),
};

const scoped = {
  [keys.cards]: ["cards:read"],
  [keys.results]: ["kyc:read"],
  [keys.none]: [],
  [keys.internal]: ["cards:read"],
} as const;

const { app, gates, lines } = fakeApp({
  keys: scoped,
  rateOf: (_holder, rateClass) => (rateClass === "submissions" ? { calls: 1, seconds: 600 } : undefined),
});

let server: Served;
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
});
afterAll(() => server.close(0));

const rest = (key: string) => ({
  key,
  fetch: (path: string, init?: RequestInit) => fetch(server.url + path, init),
});

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

const post = (headers: Record<string, string>, body = ping) =>
  rawRequest(
    server.url,
    `POST /mcp HTTP/1.1\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${Object.entries(
      {
        host: new URL(server.url).host,
        authorization: `Bearer ${fullKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    )
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}\r\n${body}`,
  );

describe("keys", () => {
  it.each([
    ["cards:read", keys.cards, ["requirements", "cards", "search_docs"]],
    ["kyc:read", keys.results, ["requirements", "result", "search_docs"]],
    ["no scope", keys.none, ["search_docs"]],
  ])("with %s have only their tools", async (_scope, key, names) => {
    const { tools } = await (await connect(server.url, key)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
  });

  it("cannot call a tool beyond their scopes, as over REST", async () => {
    const called = await callTool(await connect(server.url, keys.results), "cards", { memberId: "member-1" });
    const { body } = await restList(rest(keys.results), { memberId: "member-1" });
    expect(called.text.error).toMatchObject({ code: "SCOPE_MISSING" });
    expect(withoutRequestId(called.text.error)).toEqual(withoutRequestId(body));
  });

  it("of internal apps name a platform, as over REST", async () => {
    const unnamed = await callTool(await connect(server.url, keys.internal), "cards", {
      memberId: "member-1",
    });
    const { body } = await restList(rest(keys.internal), { memberId: "member-1" });
    expect(withoutRequestId(unnamed.text.error)).toEqual(withoutRequestId(body));
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
  it.each([
    { host: "evil.test" },
    { host: "evil.test:3000", origin: "http://evil.test:3000" },
    { host: "127.0.0.1.evil.test" },
    { origin: "https://evil.test" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
  ])("of others are refused: %o", async (headers) => {
    const { status, body } = await post(headers);
    expect([status, body.includes("result")]).toEqual([403, false]);
  });

  it.each([
    {},
    { host: "localhost:3000" },
    { host: "[::1]:3000" },
    { host: "127.0.0.1" },
    { host: "127.0.0.1:3000", origin: "http://127.0.0.1:3000" },
  ])("of the service and this machine are served: %o", async (headers) => {
    expect((await post(headers)).status).toBe(200);
  });
});

describe("other methods", () => {
  it.each(["GET", "DELETE", "PUT"])("%s is not allowed: there are no sessions", async (method) => {
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

it("reports a search index that is being built as unavailable", async () => {
  const { text } = await callTool(await connect(server.url, fullKey), "search_docs", { query: "webhooks" });
  expect(text).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" }, retryAfterSeconds: 3 });
});

it("logs no unexpected error", () => {
  expect(lines.filter((line) => line.includes("unexpected"))).toEqual([]);
});
