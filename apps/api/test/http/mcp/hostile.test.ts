import { afterAll, beforeAll, expect, it } from "vitest";
import { maxBodyBytes } from "../../../src/config/limits.ts";
import { type Served, serve } from "../../../src/server/serve.ts";
import { fakeApp, fullKey } from "../../support/fakes.ts";

const { app, gates, lines } = fakeApp();

let server: Served;
beforeAll(async () => {
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
});
afterAll(() => server.close(0));

async function send(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${fullKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get("content-type"), text };
}

const message = (method: unknown, params?: unknown) => ({ jsonrpc: "2.0", id: 1, method, params });
const nested = (depth: number): unknown => (depth === 0 ? {} : { a: nested(depth - 1) });

const modern = (version: string) =>
  [
    message("tools/list", {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    }),
    { "mcp-protocol-version": version, "mcp-method": "tools/list" },
  ] as const;

const call = (name: unknown, sent?: unknown) => message("tools/call", { name, arguments: sent });

it.each<[string, unknown, Record<string, string>, number, string]>([
  ["invalid JSON", '{"jsonrpc": ', {}, 400, "MALFORMED_REQUEST"],
  ["a batch", [message("ping"), message("ping")], {}, 400, "Send one message in each request."],
  ["a huge batch", Array(2_000).fill(message("ping")), {}, 413, "PAYLOAD_TOO_LARGE"],
  ["deep nesting", call("cards", nested(40)), {}, 400, "json-depth"],
  ["a large body", call("cards", { memberId: "m".repeat(maxBodyBytes) }), {}, 413, "PAYLOAD_TOO_LARGE"],
  ["another type", message("ping"), { "content-type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["compression", message("ping"), { "content-encoding": "gzip" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["a client that reads no JSON", message("ping"), { accept: "text/html" }, 406, "Not Acceptable"],
  ["null", "null", {}, 400, '"error"'],
  ["a number as the method", message(1), {}, 400, '"error"'],
  ["an unknown method", message("nothing"), {}, 200, "-32601"],
  ["an unknown tool", call("nothing"), {}, 200, "The tool is unknown."],
  ["constructor as the tool", call("constructor"), {}, 200, "The tool is unknown."],
  ["a list as arguments", call("cards", []), {}, 200, '"error"'],
  [
    "a prototype as arguments",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"submit","arguments":{"__proto__":{"name":"x"},"constructor":1}}}',
    {},
    200,
    "INVALID_INPUT",
  ],
  ["a long query", call("search_docs", { query: "x ".repeat(200) }), {}, 200, "INVALID_INPUT"],
  [
    "an unknown version of 2025",
    message("ping"),
    { "mcp-protocol-version": "1999-01-01" },
    400,
    "Unsupported protocol version",
  ],
  ["an unknown later version", ...modern("2999-01-01"), 400, "-32022"],
  ["a session", message("ping"), { "mcp-session-id": "x" }, 200, '"result"'],
  ["a response", { jsonrpc: "2.0", id: 1, result: {} }, {}, 202, ""],
  ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, {}, 202, ""],
])("answers %s", async (_what, body, headers, status, text) => {
  const answer = await send(body, headers);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
});

it("opens no stream of changes", async () => {
  const [{ params }, headers] = modern("2026-07-28");
  const listen = message("subscriptions/listen", {
    ...(params as object),
    notifications: { toolsListChanged: true },
  });
  const answer = await send(listen, { ...headers, "mcp-method": "subscriptions/listen" });
  expect(answer).toMatchObject({ type: "application/json", text: expect.stringContaining('"error"') });
});

it("answers with JSON and no stream", async () => {
  const [body, headers] = modern("2026-07-28");
  for (const answer of [await send(message("tools/list")), await send(body, headers)]) {
    expect(answer).toMatchObject({ status: 200, type: "application/json" });
    expect(JSON.parse(answer.text).result.tools).toHaveLength(6);
  }
});

it("logs no unexpected error", () => {
  expect(lines.filter((line) => line.includes("unexpected"))).toEqual([]);
});
