import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "@cardbridge/sandbox";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newKycRequest } from "../../src/conformance/inputs.ts";
import { createEventReader } from "../../src/index.ts";
import { listen } from "../support/listener.ts";
import { client, connect } from "../support/provider.ts";
import { http, state } from "../support/responses.ts";

const secret = `whsec_${Buffer.from("the shared secret of these tests").toString("base64")}`;
const another = `whsec_${Buffer.from("another secret, of other tests!!").toString("base64")}`;
const verdict = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1", revision: 1 };
const kycEvent = { kind: "kyc", reference: "kyc_1", userReference: "usr_1", verdict };
const unsigned = { kind: "unsigned" };
const unreadable = { kind: "unreadable" };

const seconds = () => Math.floor(Date.now() / 1000);
const update = (changes: object = {}) => ({ type: "kyc.updated", data: { ...state, ...changes } });

/** An independent implementation of Standard Webhooks. */
function sign(body: string, timestamp: number, key = secret): Record<string, string> {
  const bytes = Buffer.from(key.replace("whsec_", ""), "base64");
  const hash = createHmac("sha256", bytes).update(`msg_1.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${hash}`,
  };
}

/** Reads an event with valid or changed headers. */
function read(content: unknown, change: (valid: Record<string, string>) => object = () => ({})) {
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const valid = sign(body, seconds());
  return createEventReader({ secrets: [secret] }).read(new Headers({ ...valid, ...change(valid) }), body);
}

describe("the signature of an event", () => {
  it("accepts a valid signature", () => {
    expect(read(update())).toEqual(kycEvent);
  });

  it("rejects another secret", () => {
    expect(read(update(), () => sign(JSON.stringify(update()), seconds(), another))).toEqual(unsigned);
  });

  it.each([-1, 1])("accepts a timestamp up to 300 s from the clock, direction %i", (direction) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const at = (distance: number) => () => sign(JSON.stringify(update()), seconds() + direction * distance);
    expect(read(update(), at(300))).toEqual(kycEvent);
    expect(read(update(), at(301))).toEqual(unsigned);
  });

  it("rejects a body, id or time that was not signed", () => {
    const valid = sign(JSON.stringify(update()), seconds());
    expect(read(update({ status: "rejected" }), () => valid)).toEqual(unsigned);
    expect(read(`${JSON.stringify(update())} `, () => valid)).toEqual(unsigned);
    expect(read(update(), () => ({ "webhook-id": "msg_2" }))).toEqual(unsigned);
    expect(read(update(), () => ({ "webhook-timestamp": String(seconds() - 9) }))).toEqual(unsigned);
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("rejects an event without %s", (name) => {
    const body = JSON.stringify(update());
    const headers = new Headers(sign(body, seconds()));
    headers.delete(name);
    expect(createEventReader({ secrets: [secret] }).read(headers, body)).toEqual(unsigned);
  });

  it.each([
    ["webhook-signature", "v1"],
    ["webhook-signature", "v1,"],
    ["webhook-signature", "é,é v1,é"],
    ["webhook-timestamp", "soon"],
    ["webhook-timestamp", "1e400"],
  ])("rejects %s: %s", (name, value) => {
    expect(read(update(), () => ({ [name]: value }))).toEqual(unsigned);
  });

  it("rejects a signature of another version", () => {
    const v2 = (text = "") => ({ "webhook-signature": text.replace("v1,", "v2,") });
    expect(read(update(), (valid) => v2(valid["webhook-signature"]))).toEqual(unsigned);
  });

  it("accepts one valid signature among several", () => {
    const wrong = "v1,d3Jvbmc= v1a,d3Jvbmc=";
    const among = (valid: Record<string, string>) => ({
      "webhook-signature": `${wrong} ${valid["webhook-signature"]} ${wrong}`,
    });
    expect(read(update(), among)).toEqual(kycEvent);
    expect(read(update(), () => ({ "webhook-signature": wrong }))).toEqual(unsigned);
  });

  it("accepts a signature with any of several secrets", () => {
    const body = JSON.stringify(update());
    const headers = new Headers(sign(body, seconds()));
    expect(createEventReader({ secrets: [another, secret] }).read(headers, body)).toEqual(kycEvent);
    expect(createEventReader({ secrets: [another] }).read(headers, body)).toEqual(unsigned);
  });

  it("rejects an invalid secret without quoting it", () => {
    for (const secrets of [[], [""], ["whsec_"], ["whsec_no base64!"], [secret, "no base64!"]]) {
      const create = () => createEventReader({ secrets });
      expect(create).toThrow(TypeError);
      expect(create).toThrow(
        /^(An event reader needs a secret|An event secret must be whsec_ and base64)\.$/,
      );
    }
  });
});

describe("the content of an event", () => {
  it.each(["pending_approval", "rejected", "manual_review", "審査中"])(
    "passes the status %s unchanged",
    (status) => {
      expect(read(update({ status }))).toEqual({ ...kycEvent, verdict: { ...verdict, subStatus: status } });
    },
  );

  it("maps a null or absent account to null and drops unknown fields", () => {
    const { cardAccountId: _, ...rest } = update({ more: true }).data;
    const without = { ...kycEvent, verdict: { ...verdict, cardAccountId: null } };
    expect(read({ type: "kyc.updated", data: rest, more: true })).toEqual(without);
    expect(read(update({ cardAccountId: null }))).toEqual(without);
  });

  it("contains the reasons of a rejection, as a response does", () => {
    const reasons = [{ code: "under_age", field: "applicant.birthDate" }, { code: "watch_list_match" }];
    const explanation = { reasons: [{ code: "UNDER_AGE", field: "/birthday" }], final: true };
    expect(read(update({ status: "rejected", reasons, final: true }))).toEqual({
      ...kycEvent,
      verdict: { ...verdict, subStatus: "rejected", explanation, restricted: ["WATCH_LIST_MATCH"] },
    });
  });

  it.each([[{ type: "card.created", data: { cardId: 1 } }], [{ type: "", data: null }], [{ type: "x" }]])(
    "accepts events of other types: %j",
    (event) => {
      expect(read(event)).toEqual({ kind: "other" });
    },
  );

  it.each([
    ["an empty body", ""],
    ["a body that is not JSON", "<p>It works!</p>"],
    ["an array", []],
    ["null", "null"],
    ["no type", { data: state }],
    ["no data", { type: "kyc.updated" }],
    ["no status", update({ status: "" })],
    ["a card number for a status", update({ status: "4242424242424242" })],
    ["no revision", update({ revision: null })],
    ["a fractional revision", update({ revision: 1.5 })],
    ["an account that is a number", update({ cardAccountId: 7 })],
    ["no reference", update({ reference: "" })],
    ["a reference that cannot be stored", update({ reference: "kyc_\u0000" })],
    ["a lone surrogate", update({ userReference: "usr_\ud800" })],
  ])("reports %s as unreadable", (_, content) => {
    expect(read(content)).toEqual(unreadable);
  });

  it("reports an unsigned event as unsigned, whatever its content", () => {
    expect(read("<p>It works!</p>", () => ({ "webhook-id": "msg_2" }))).toEqual(unsigned);
  });
});

it("reads the events of the sandbox", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "cardbridge-events-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const receiver = await listen((socket) => socket.write(http(204)));
  const sandbox = await startSandbox({ dataFolder, ...client, events: { url: receiver.url, secret } });
  onTestFinished(() => sandbox.close());

  const request = newKycRequest("ada+approved@example.com");
  const answer = await connect(sandbox.url).provider.submitKyc(request);
  await vi.waitUntil(() => receiver.requests.length > 0, { timeout: 60_000 });
  const [event] = receiver.requests;
  const { reference, userReference } = request;
  expect(
    createEventReader({ secrets: [secret] }).read(
      new Headers([...(event?.headers ?? [])]),
      event?.body ?? "",
    ),
  ).toEqual({ kind: "kyc", reference, userReference, verdict: answer });
});

describe("an event about a card", () => {
  const data = { cardId: "card_1", userReference: "usr_1", status: "locked" };
  const cardEvent = (changes: object) => read({ type: "card.updated", data: { ...data, ...changes } });
  const card = { cardId: "card_1", externalUserId: "usr_1", status: "locked" };

  it("contains the card, its user, its status, and the event id from the header", () => {
    expect(cardEvent({ last4: "4242", nameOnCard: "ADA" })).toEqual({ kind: "card", eventId: "msg_1", card });
  });

  it.each([undefined, null])("may have no status: %s", (status) => {
    expect(cardEvent({ status })).toEqual({
      kind: "card",
      eventId: "msg_1",
      card: { ...card, status: null },
    });
  });

  it.each([
    { cardId: undefined },
    { cardId: "../card" },
    { cardId: "4242424242424242" },
    { userReference: undefined },
    { userReference: "" },
    { status: "" },
    { status: "x".repeat(65) },
    { status: "locked 4242424242424242" },
    { status: 1 },
  ])("is unreadable with %j", (changes) => {
    expect(cardEvent(changes)).toEqual(unreadable);
  });
});
