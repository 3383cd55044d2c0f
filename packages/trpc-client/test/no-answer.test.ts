import { once } from "node:events";
import { connect } from "node:net";
import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { describe, expect, it } from "vitest";
import { createClient } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { json, serve } from "./support/server.ts";

const secret = "cb_test_SecretOfThisTest";
const client = (url: string) => createClient({ url, apiKey: secret });

describe("without a response of cardbridge, the error", () => {
  async function sentences(url: string): Promise<string[]> {
    const calls = [
      client(url).cards.list.query({ memberId: "alice" }),
      client(url).kyc.submit.mutate(newSubmission()),
    ];
    const errors = await Promise.all(calls.map(errorOf));
    const texts = errors.map((error) => (error as Error).message);
    expect(texts.join()).not.toContain(secret);
    expect(texts.join()).not.toContain("alice");
    return texts;
  }
  const both = (pattern: RegExp) => [expect.stringMatching(pattern), expect.stringMatching(pattern)];

  it("reports a refused connection", async () => {
    // The local port of an open connection is in use, so no other process can listen on it.
    const { port } = new URL(await serve(() => {}));
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    expect(await sentences(`http://127.0.0.1:${socket.localPort}`)).toEqual(
      both(/^No connection to http:\/\/127.*\(ECONNREFUSED\): check the url/),
    );
    socket.destroy();
  });

  it("reports a connection that is lost before or during the response", async () => {
    const before = await serve(({ socket }) => socket.destroy());
    expect(await sentences(before)).toEqual(both(/^The connection to .* was lost/));
    const within = await serve((_, answer) => {
      answer.writeHead(200, { ...json, "content-length": "1000" });
      answer.write('[{"result":', () => answer.destroy());
    });
    expect(await sentences(within)).toEqual(both(/^The connection to .* was lost/));
  });

  it.each([
    ["a proxy", 502, "text/html", /^The response from .* is not from cardbridge \(502, text\/html\)/],
    ["another server", 200, "application/json", /^The response from .* is not from cardbridge \(200, app/],
    ["a wrong address", 404, "text/html", /^cardbridge is not at this url .*\(404, text\/html\)/],
  ])("reports the response of %s", async (_, status, type, sentence) => {
    const url = await serve((_request, answer) => {
      answer.writeHead(status, { "content-type": type }).end('{"hello":"there"}');
    });
    expect(await sentences(url)).toEqual(both(sentence));
  });

  it("reports a wrong path of cardbridge", async () => {
    const service = await startTestService();
    expect(await sentences(`${service.url}/openapi/v1`)).toEqual(both(/^cardbridge is not at this url/));
    await service.stop();
  });

  it("reports a redirect, which is not followed", async () => {
    const received: unknown[] = [];
    const elsewhere = await serve(({ url }, answer) => {
      received.push(url);
      answer.writeHead(200, json).end('{"result":{"data":{"total":1}}}');
    });
    const url = await serve(({ url }, answer) => {
      answer.writeHead(307, { location: `${elsewhere}${url}` }).end();
    });
    expect(await sentences(url)).toEqual(
      both(/^The response from .* is not from cardbridge \(307, no content type\)/),
    );
    const ended = await new Promise((resolve) => {
      client(url).kyc.changes.subscribe({}, { onData: resolve, onError: resolve });
    });
    expect(ended).toBeInstanceOf(Error);
    expect(received).toEqual([]);
  });

  it("is unchanged if the caller aborts the call", async () => {
    const url = await serve(() => {});
    const giveUp = new AbortController();
    const left = errorOf(client(url).kyc.submit.mutate(newSubmission(), { signal: giveUp.signal }));
    giveUp.abort();
    expect(await left).toMatchObject({ name: "TRPCClientError", cause: { name: "AbortError" } });
  });
});

it.each([
  "cardbridge",
  "",
  "/trpc",
  "ftp://127.0.0.1",
  "file:///etc/passwd",
  `http://user:${secret}@127.0.0.1:1`,
  `http://127.0.0.1:1?key=${secret}`,
  "http://127.0.0.1:1/#fragment",
])("refuses the url %j without repeating it", (url) => {
  const create = () => createClient({ url, apiKey: "cb_test_key" });
  expect(create).toThrow(TypeError);
  expect(create).toThrow("Pass the address of cardbridge as url");
  expect(create).not.toThrow(secret);
});

it.each([
  ["API key with a line break", { apiKey: `${secret}\nx` }],
  ["platform with a line break", { apiKey: "cb_test_key", platform: `${secret}\nx` }],
])("an %s is refused without being repeated", (_name, options) => {
  const create = () => createClient({ url: "http://127.0.0.1:1", ...options });
  expect(create).toThrow(TypeError);
  expect(create).not.toThrow(secret);
});
