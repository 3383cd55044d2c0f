import { createHmac } from "node:crypto";
import { type ForkedFake, forkFake } from "@cardbridge/airwallex-fake";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAirwallexEventReader } from "../../src/index.ts";
import { listen } from "../support/listener.ts";
import { http } from "../support/responses.ts";

const secret = "the secret of these tests";
const now = Date.UTC(2026, 4, 12);
const day = 86_400_000;
const ready = {
  id: "evt_1",
  name: "issuing.cardholder.ready",
  account_id: "acct_1",
  created_at: "2026-05-12T00:00:00+0000",
  data: { cardholder_id: "holder_1", status: "READY" },
};
const asked = { kind: "ask", about: { step: "cardholder", id: "holder_1" } };

/** An independent implementation of the signature. */
function sign(body: string, { at = now, key = secret }: { at?: number; key?: string } = {}) {
  const signature = createHmac("sha256", key).update(`${at}${body}`).digest("hex");
  return { "x-timestamp": String(at), "x-signature": signature };
}

/** Reads an event with valid or changed headers. */
function read(content: unknown, change: (body: string) => Record<string, string> = () => ({})) {
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const reader = createAirwallexEventReader({ secrets: ["an older one", secret], now: () => now });
  return reader.read(new Headers({ ...sign(body), ...change(body) }), body);
}

describe("an event", () => {
  it("about a cardholder results in a query for its state, if it has the headers of its signature", () => {
    expect(read(ready)).toEqual(asked);
    const { signedHeaders } = createAirwallexEventReader({ secrets: [secret] });
    expect(signedHeaders.toSorted()).toEqual(Object.keys(sign("")).toSorted());
  });

  it("of another kind is not read", () => {
    for (const name of ["issuing.card.active", "payment_intent.created"])
      expect(read({ ...ready, name })).toEqual({ kind: "other" });
  });

  it.each(["action_required", "answered", "closed"])(
    "about an RFI, rfi.%s, results in a look-up of its id",
    (status) => {
      const event = { ...ready, name: `rfi.${status}`, data: { id: "a72f3483-d600-4d9a-a051-bcbe5126a4b4" } };
      expect(read(event)).toEqual({ kind: "lookup", id: event.data.id });
      for (const id of ["a/b", "", "4242424242424242", 1])
        expect(read({ ...event, data: { id } })).toEqual({ kind: "unreadable" });
    },
  );

  it.each([
    "",
    "[]",
    "{",
    { ...ready, name: 1 },
    { ...ready, data: {} },
    { ...ready, data: { cardholder_id: "a\u0000" } },
    { ...ready, data: { cardholder_id: "4242424242424242" } },
  ])("is unreadable as %j", (content) => {
    expect(read(content)).toEqual({ kind: "unreadable" });
  });
});

describe("a signature", () => {
  it.each([
    ["of another secret", (body: string) => sign(body, { key: "another" })],
    ["of another body", () => sign("{}")],
    ["of another time", () => ({ "x-timestamp": String(now + 1) })],
    ["that is missing", () => ({ "x-signature": "" })],
    ["in capital letters", (body: string) => ({ "x-signature": sign(body)["x-signature"].toUpperCase() })],
    ["with a time in seconds", (body: string) => sign(body, { at: now / 1_000 })],
    ["of more than four days ago", (body: string) => sign(body, { at: now - 4 * day - 1 })],
    ["from more than five minutes ahead", (body: string) => sign(body, { at: now + 300_001 })],
  ])("%s is rejected", (_, change) => {
    expect(read(ready, change)).toEqual({ kind: "unsigned" });
  });

  it.each([-4 * day, -3 * day, -300_001, 300_000])("is valid %i ms from the local clock", (distance) => {
    expect(read(ready, (body) => sign(body, { at: now + distance }))).toEqual(asked);
  });

  it("needs a secret", () => {
    expect(() => createAirwallexEventReader({ secrets: [] })).toThrow(TypeError);
    expect(() => createAirwallexEventReader({ secrets: [""] })).toThrow(TypeError);
  });
});

describe("the fake's events", () => {
  let fake: ForkedFake;
  beforeAll(async () => {
    fake = await forkFake();
  });
  afterAll(() => fake.close());

  it.each([
    [{}, asked],
    [{ signature: "wrong" }, { kind: "unsigned" }],
    [{ signature: "missing" }, { kind: "unsigned" }],
    // The last repetition, with the timestamp of the first delivery.
    [{ ageSeconds: 3 * 86_400 }, asked],
    [{ ageSeconds: 5 * 86_400 }, { kind: "unsigned" }],
  ])("delivered with %j are read as expected", async (options, expected) => {
    const receiver = await listen((socket) => socket.write(http(200)));
    await fake.reset();
    await fake.admin("PUT", "/webhook", { url: receiver.url, secret });
    await fake.admin("POST", "/events", { name: ready.name, data: ready.data });
    await fake.admin("POST", "/deliveries", options);
    const [event] = receiver.requests;
    const reader = createAirwallexEventReader({ secrets: [secret] });
    expect(reader.read(new Headers([...(event?.headers ?? [])]), event?.body ?? "")).toEqual(expected);
  });
});
