import { afterEach, expect, it } from "vitest";
import { type Served, serve } from "../../src/server/serve.ts";
import { card, fakeApp, fakePorts, fullKey } from "../support/fakes.ts";

/** A streamed batch over a socket: the order of its parts, and the effects of a disconnect. */
const held = 2;
let server: Served | undefined;
afterEach(() => server?.close(0));

/** A service whose provider responds to page 1 immediately, and to page 2 when the test allows it. */
async function streaming() {
  const released = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const { ports } = fakePorts({
    async listCards({ page }, signal) {
      if (page !== held) return { items: [card], total: 1 };
      reached.resolve();
      await new Promise((resolve, reject) => {
        released.promise.then(resolve);
        signal?.addEventListener("abort", () => {
          left.resolve();
          reject(signal.reason);
        });
      });
      return { items: [], total: 1 };
    },
  });
  const { app, lines } = fakeApp({ ports });
  const served = await serve(app.fetch, { host: "127.0.0.1", port: 0 });
  server = served;
  const inputs = [{ memberId: "member-1" }, { memberId: "nobody" }, { memberId: "member-1", page: held }];
  const input = encodeURIComponent(JSON.stringify({ ...inputs }));
  const path = `/trpc/cards.list,cards.list,cards.list?batch=1&input=${input}`;
  const leaving = new AbortController();
  const response = await fetch(`${served.url}${path}`, {
    headers: { authorization: `Bearer ${fullKey}`, "trpc-accept": "application/jsonl" },
    signal: leaving.signal,
  });
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    ...{ served, response, lines, leaving },
    release: released.resolve,
    reached: reached.promise,
    left: left.promise,
    /** Reads until the response contains this text, or ends. */
    async readUntil(wanted: string): Promise<string> {
      while (!text.includes(wanted)) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
      return text;
    },
  };
}

it("streams each call's result when the call ends", async () => {
  const { response, readUntil, release, lines } = await streaming();
  const { headers } = response;
  expect([
    headers.get("content-type"),
    headers.get("cache-control"),
    headers.get("x-content-type-options"),
  ]).toEqual(["application/jsonl", "no-store", "nosniff"]);
  await readUntil(card.cardId);
  const soFar = await readUntil("USER_NOT_FOUND");
  expect(soFar).toContain(headers.get("x-request-id"));
  expect(soFar).not.toContain('"items":[]');
  release();
  expect(await readUntil("the end")).toContain('"items":[]');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ status: 200, route: "/trpc/*" }]);
});

it("is aborted when the caller disconnects, without an internal error", async () => {
  const { readUntil, reached, left, leaving, lines, served } = await streaming();
  await readUntil(card.cardId);
  await reached;
  leaving.abort();
  await left;
  // This response comes after all log lines of the disconnect.
  expect((await fetch(`${served.url}/docs`)).status).toBe(200);
  expect(lines.filter((line) => /unexpected error|"level":[45]0/.test(line))).toEqual([]);
});

it("ends before the server closes", async () => {
  const { readUntil, reached, release, served } = await streaming();
  await readUntil(card.cardId);
  await reached;
  const closed = served.close(60_000);
  release();
  expect(await readUntil("the end")).toContain('"items":[]');
  // The caller would keep its connection.
  await Promise.all([closed, served.close(0)]);
});
