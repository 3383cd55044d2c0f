import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Browser } from "./support/browser.ts";
import { startConsole, type TestConsole, testKey } from "./support/console.ts";
import { problemOf } from "./support/problem-of.ts";

let console_: TestConsole;
let browser: Browser;
beforeAll(async () => {
  console_ = await startConsole();
});
afterAll(() => console_.close());
beforeEach(async () => {
  console_.service.state.answer = () => false;
  browser = console_.browser();
  await browser.signIn("sam");
  console_.service.calls.length = 0;
});

const search = "/api/trpc/records.search?input=%7B%22limit%22%3A20%7D";
const note = { method: "POST", body: '{"text":"a note"}' };

describe("a call", () => {
  it("reaches the service with the key and the person, and without the browser's own headers", async () => {
    const response = await browser.api("/api/trpc/records.search,records.counts?batch=1&input=%7B%7D", {
      headers: {
        authorization: "Bearer stolen",
        "x-cardbridge-person": "another",
        "x-cardbridge-platform": "plt_other",
        "x-forwarded-for": "203.0.113.7",
        cookie: "a=b",
        "trpc-accept": "application/jsonl",
      },
    });
    expect(await response.json()).toEqual({ result: { data: { ok: true } } });
    expect(response.headers.get("x-request-id")).toBe("req_of_the_service");
    expect(response.headers.get("x-cardbridge-environment")).toBe("test");
    expect(response.headers.get("set-cookie")).toBeNull();
    const [call] = console_.service.forwarded();
    expect(call?.url).toBe("/trpc/records.search,records.counts?batch=1&input=%7B%7D");
    expect(call?.headers).toMatchObject({
      authorization: `Bearer ${testKey}`,
      "x-cardbridge-person": expect.stringMatching(/^eyJ/),
      "trpc-accept": "application/jsonl",
    });
    for (const name of [
      "cookie",
      "origin",
      "x-cardbridge-platform",
      "x-forwarded-for",
      "x-cardbridge-console",
    ]) {
      expect(call?.headers).not.toHaveProperty(name);
    }
  });

  it("forwards the body and the Idempotency-Key of a write", async () => {
    const response = await browser.api("/api/trpc/records.addNote", {
      ...note,
      headers: { "idempotency-key": "once" },
    });
    expect(response.status).toBe(200);
    expect(console_.service.forwarded()).toMatchObject([
      {
        method: "POST",
        body: note.body,
        headers: { "idempotency-key": "once", "content-type": "application/json" },
      },
    ]);
  });

  it("of a query by POST has its input in no address of the browser, and reaches the service as GET", async () => {
    const body = '{"0":{"email":"ada+1@example.com"},"1":{}}';
    const response = await browser.api("/api/trpc/records.search,records.counts?batch=1", {
      method: "POST",
      body,
    });
    expect(response.status).toBe(200);
    const [call] = console_.service.forwarded();
    const url = new URL(call?.url ?? "", "http://service");
    expect([call?.method, url.pathname, call?.body]).toEqual([
      "GET",
      "/trpc/records.search,records.counts",
      "",
    ]);
    expect(Object.fromEntries(url.searchParams)).toEqual({ batch: "1", input: body });
  });

  const own = { "sec-fetch-site": "same-origin", "x-cardbridge-console": "1" };
  const json = { ...own, "content-type": "application/json" };
  const form = { "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" };
  it.each<[string, "GET" | "POST", Record<string, string>]>([
    ["from another site", "GET", { ...own, "sec-fetch-site": "cross-site" }],
    ["from a sibling port", "GET", { ...own, "sec-fetch-site": "same-site" }],
    ["typed into the address bar", "GET", { ...own, "sec-fetch-site": "none" }],
    ["without Sec-Fetch-Site", "GET", { "x-cardbridge-console": "1" }],
    ["without the console's header", "GET", { "sec-fetch-site": "same-origin" }],
    ["with another Origin", "GET", { ...own, origin: "https://evil.example" }],
    ["a write without Origin", "POST", json],
    ["a write with the Origin of a sibling port", "POST", { ...json, origin: "http://127.0.0.1:1" }],
    ["a write with the Origin null", "POST", { ...json, origin: "null" }],
    ["a form of another page", "POST", { ...form, origin: "https://evil.example" }],
  ])("is refused: %s", async (_name, method, headers) => {
    const isWrite = method === "POST";
    const response = await browser.go(isWrite ? "/api/trpc/records.addNote" : search, {
      ...(isWrite ? note : {}),
      headers,
    });
    expect([response.status, await problemOf(response)]).toEqual([403, "REQUEST_REFUSED"]);
    expect(console_.service.calls).toEqual([]);
  });

  it("is refused without a session", async () => {
    const response = await console_.browser().api(search);
    expect([response.status, await problemOf(response)]).toEqual([401, "SIGN_IN_REQUIRED"]);
  });

  it.each([
    ["users.export", "POST", "PROCEDURE_NOT_ALLOWED"],
    ["records.search,users.export", "GET", "PROCEDURE_NOT_ALLOWED"],
    ["records.search%2Cusers.export", "GET", "PROCEDURE_NOT_ALLOWED"],
    ["..%2Fopenapi%2Fv1%2Fusers", "GET", "PROCEDURE_NOT_ALLOWED"],
    ["__proto__", "GET", "PROCEDURE_NOT_ALLOWED"],
    ["records.addNote", "GET", "METHOD_NOT_ALLOWED"],
    ["records.search,records.addNote", "POST", "METHOD_NOT_ALLOWED"],
    ["records.changes", "POST", "METHOD_NOT_ALLOWED"],
    ["records.addNote,records.assign", "POST", "METHOD_NOT_ALLOWED"],
    ["records.search", "DELETE", "METHOD_NOT_ALLOWED"],
    ["records.search%252Cusers.export", "GET", "PROCEDURE_NOT_ALLOWED"],
    ["records.search%2F..%2Fusers.export", "GET", "PROCEDURE_NOT_ALLOWED"],
    ["records.search%3Fbatch=1", "GET", "PROCEDURE_NOT_ALLOWED"],
  ])("of %s by %s is refused", async (names, method, code) => {
    const response = await browser.api(`/api/trpc/${names}`, {
      method,
      ...(method === "POST" ? { body: "{}" } : {}),
    });
    expect(await problemOf(response)).toBe(code);
    expect(console_.service.forwarded()).toEqual([]);
  });

  it.each(["records.search", "records.changes"])("of %s by HEAD is refused", async (name) => {
    const response = await browser.api(`/api/trpc/${name}`, { method: "HEAD" });
    expect(response.status).toBe(405);
    expect(console_.service.forwarded()).toEqual([]);
  });

  it("is refused with a large body, or one that is not JSON", async () => {
    const large = await browser.api("/api/trpc/records.addNote", {
      method: "POST",
      body: "x".repeat(70_000),
    });
    expect([large.status, await problemOf(large)]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const text = await browser.api("/api/trpc/records.addNote", {
      ...note,
      headers: { "content-type": "text/plain" },
    });
    expect([text.status, await problemOf(text)]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  it("passes a large answer on while it arrives, such as a part of an export", async () => {
    const half = Buffer.alloc(7_000_000, "a");
    let finish = () => {};
    console_.service.state.answer = (request, response) => {
      if (!request.url?.startsWith("/trpc/users.exportPart")) return false;
      response.writeHead(200, { "content-type": "application/json" }).write(half);
      finish = () => response.end(half);
      return true;
    };
    const response = await browser.api("/api/trpc/users.exportPart", { method: "POST", body: "{}" });
    const reader = response.body?.getReader();
    let read = (await reader?.read())?.value?.length ?? 0;
    expect(read).toBeGreaterThan(0);
    finish();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      read += part.value.length;
    }
    expect(read).toBe(14_000_000);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("gets the service's own refusal of a person", async () => {
    const refusal = { error: { data: { problem: { code: "PERSON_BLOCKED" } } } };
    console_.service.state.answer = (_request, response) => {
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(refusal));
      return true;
    };
    const response = await browser.api(search);
    expect([response.status, await response.json()]).toEqual([403, refusal]);
  });

  it("says whether a call may have taken effect if the service is away", async () => {
    await browser.api(search);
    console_.service.state.answer = (request) => {
      request.socket.destroy();
      return true;
    };
    const read = await browser.api(search);
    expect([read.status, await problemOf(read)]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    const write = await browser.api("/api/trpc/records.addNote", note);
    expect([write.status, await problemOf(write)]).toEqual([503, "OUTCOME_UNKNOWN"]);
  });

  it("is not stored by browsers, whatever its response", async () => {
    const responses = await Promise.all([
      browser.api("/api/session"),
      browser.api(search),
      browser.api("/api/trpc/users.export"),
      browser.go("/api/session"),
      browser.api("/api/files/file_1"),
      browser.go("/auth/sign-in"),
      browser.go("/auth/callback"),
      browser.go("/auth/unknown"),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 403, 403, 404, 303, 303, 404]);
    for (const { headers } of responses) expect(headers.get("cache-control")).toBe("no-store");
  });
});

describe("a stream", () => {
  /** Opens a stream of which the service has sent one event. */
  async function openStream() {
    let left: Promise<unknown> = Promise.resolve();
    let send = (_text: string) => {};
    console_.service.state.answer = (request, response) => {
      if (!request.url?.startsWith("/trpc/records.changes")) return false;
      left = once(response, "close");
      response.writeHead(200, { "content-type": "text/event-stream" });
      send = (text) => void response.write(text);
      send("event: connected\ndata: {}\n\n");
      return true;
    };
    const leave = new AbortController();
    const response = await browser.api("/api/trpc/records.changes?input=%7B%7D", {
      signal: leave.signal,
      headers: { accept: "text/event-stream", "last-event-id": "81234-0" },
    });
    const reader = response.body?.getReader();
    if (!reader) throw new Error("The stream has no body.");
    const next = async () => new TextDecoder().decode((await reader.read()).value);
    return { response, next, leave, send: (text: string) => send(text), left: () => left };
  }

  it("passes each event on at once, and resumes from a position", async () => {
    const { response, next, send, leave } = await openStream();
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await next()).toContain("connected");
    send("id: 81240-52\ndata: 1\n\n");
    expect(await next()).toContain("81240-52");
    expect(console_.service.forwarded()[0]?.headers["last-event-id"]).toBe("81234-0");
    leave.abort();
  });

  it("ends at the service when the browser leaves", async () => {
    const { next, leave, left } = await openStream();
    await next();
    leave.abort();
    await left();
  });

  it("is refused while the session has 20, and not when one of them has ended", async () => {
    const streams = [];
    for (let count = 0; count < 20; count += 1) streams.push(await openStream());
    const refused = await browser.api("/api/trpc/records.changes?input=%7B%7D");
    expect([refused.status, await problemOf(refused)]).toEqual([429, "RATE_LIMITED"]);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(console_.service.forwarded()).toHaveLength(20);
    expect((await browser.api(search)).status).toBe(200);
    const other = console_.browser();
    await other.signIn("sam");
    expect((await other.api("/api/trpc/records.changes?input=%7B%7D")).status).toBe(200);
    const [first, ...rest] = streams;
    first?.leave.abort();
    await first?.left();
    const next = await openStream();
    expect(next.response.status).toBe(200);
    for (const { leave } of [next, ...rest]) leave.abort();
  });

  it("that the service refuses does not count", async () => {
    console_.service.state.answer = (request, response) => {
      if (!request.url?.startsWith("/trpc/records.changes")) return false;
      response.writeHead(503, { "content-type": "application/json" }).end("{}");
      return true;
    };
    for (let count = 0; count < 21; count += 1) {
      const response = await browser.api("/api/trpc/records.changes?input=%7B%7D");
      expect(response.status).toBe(503);
      await response.text();
    }
  });

  it("ends with the session, and the service hears it", async () => {
    const { next, left } = await openStream();
    await next();
    await browser.api("/auth/sign-out", { method: "POST" });
    expect(await next()).toBe("");
    await left();
  });
});

it("logs no query, cookie, token, key or name", async () => {
  await browser.api(search);
  await browser.go("/records/kyc_canary?email=canary@example.com");
  const log = console_.log();
  expect(log).toContain('"procedures":"records.search"');
  for (const secret of ["canary", "limit", browser.session ?? "", testKey, "eyJ", "Sam", "code="]) {
    expect(log).not.toContain(secret);
  }
});
