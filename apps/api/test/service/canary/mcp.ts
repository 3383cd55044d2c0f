import { expect, it } from "vitest";
import { type Canary, json } from "./canary.ts";

/**
 * Sends marks in messages of the Model Context Protocol, except as the protocol's version and the Host: the SDK names
 * both in its error, and neither is personal data.
 */
export function sendMessages({ marks, call }: Canary): void {
  const headers = { ...json, accept: "application/json, text/event-stream" };

  function send(method: string, params: object, further = {}): Promise<number> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return call(`${method} over MCP`, {
      path: "/mcp",
      method: "POST",
      headers: { ...headers, ...further },
      body,
    });
  }

  it("tools, valid and invalid", async () => {
    const submission = marks.submission();
    const who = () => ({ memberId: marks.next() });
    const calls: [string, object][] = [
      ["submit", submission],
      ["submit", { ...marks.submission(), gender: marks.next(), birthday: marks.next() }],
      ["submit", { [marks.next()]: marks.next() }],
      ["validate", { ...marks.submission(), email: marks.next() }],
      ["requirements", { documentCountry: marks.next(), [marks.next()]: marks.next() }],
      ["result", who()],
      ["cards", { ...who(), [marks.next()]: marks.next() }],
      ["search_docs", { query: marks.next() }],
      ["search_docs", { query: marks.next().repeat(20), [marks.next()]: marks.next() }],
      [marks.next(), who()],
    ];
    for (const [name, sent] of calls) expect(await send("tools/call", { name, arguments: sent })).toBe(200);
  });

  it("messages that the protocol refuses", async () => {
    expect(await send(marks.next(), { [marks.next()]: marks.next() })).toBe(200);
    expect(await send("tools/call", { name: { [marks.next()]: marks.next() } })).toBe(200);
    expect(await send("tools/call", { name: "cards", arguments: marks.next() })).toBe(200);
    expect(await send("ping", {}, { accept: marks.next() })).toBe(406);
  });
}
