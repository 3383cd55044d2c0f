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
  const signed = JSON.stringify(update());
  const { "webhook-signature": signature = "", ...unsignedHeaders } = sign(signed, seconds());

  it("is valid with any of several secrets, and among other signatures", () => {
    expect(read(update())).toEqual(kycEvent);
    const headers = new Headers(sign(signed, seconds()));
    expect(createEventReader({ secrets: [another, secret] }).read(headers, signed)).toEqual(kycEvent);
    const wrong = "v1,d3Jvbmc= v1a,d3Jvbmc=";
    const among = (valid: Record<string, string>) => ({
      "webhook-signature": `${wrong} ${valid["webhook-signature"]} ${wrong}`,
    });
    expect(read(update(), among)).toEqual(kycEvent);
  });

  it.each([-1, 1])("is valid up to 300 s from the clock, direction %i", (direction) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const at = (distance: number) => () => sign(signed, seconds() + direction * distance);
    expect(read(update(), at(300))).toEqual(kycEvent);
    expect(read(update(), at(301))).toEqual(unsigned);
  });

  it.each([
    ["of another secret", signed, () => sign(signed, seconds(), another)],
    ["of another body", `${signed} `, () => sign(signed, seconds())],
    ["of another id", signed, () => ({ "webhook-id": "msg_2" })],
    ["of another time", signed, () => ({ "webhook-timestamp": String(seconds() - 9) })],
    ["of no time", signed, () => ({ "webhook-timestamp": "soon" })],
    ["of an infinite time", signed, () => ({ "webhook-timestamp": "1e400" })],
    ["of another version", signed, () => ({ "webhook-signature": signature.replace("v1,", "v2,") })],
    ["without a value", signed, () => ({ "webhook-signature": "v1," })],
    ["without ASCII", signed, () => ({ "webhook-signature": "é,é v1,é" })],
    ["with content that is not JSON", "<p>It works!</p>", () => ({ "webhook-id": "msg_2" })],
  ])("%s is rejected", (_, body, change) => {
    expect(read(body, change)).toEqual(unsigned);
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("needs the header %s", (name) => {
    const headers = new Headers({ ...unsignedHeaders, "webhook-signature": signature });
    headers.delete(name);
    expect(createEventReader({ secrets: [secret] }).read(headers, signed)).toEqual(unsigned);
  });

  it("needs a valid secret, which no error quotes", () => {
    const message = /^(An event reader needs a secret|An event secret must be whsec_ and base64)\.$/;
    for (const secrets of [[], [""], ["whsec_"], ["whsec_no base64!"], [secret, "no base64!"]]) {
      expect(() => createEventReader({ secrets })).toThrow(TypeError);
      expect(() => createEventReader({ secrets })).toThrow(message);
    }
  });
});

describe("the content of an event", () => {
  it("has its status unchanged", () => {
    for (const subStatus of ["pending_approval", "審査中"])
      expect(read(update({ status: subStatus }))).toMatchObject({ verdict: { ...verdict, subStatus } });
  });

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

  it("of another type is not read", () => {
    for (const event of [
      { type: "card.created", data: { cardId: 1 } },
      { type: "", data: null },
    ])
      expect(read(event)).toEqual({ kind: "other" });
  });

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

describe("an event about a document request", () => {
  const request = {
    requestId: "req_1",
    documentType: "SELFIE",
    accepts: ["SELFIE"],
    reason: "selfie_unreadable",
    requestedAt: "2026-01-31T12:00:00.000Z",
    dueAt: null,
    status: "open",
    revision: 1,
  };
  const data = { reference: "kyc_1", userReference: "usr_1", request };
  const requestEvent = (changes: object) =>
    read({ type: "kyc.request_updated", data: { ...data, ...changes } });

  it("contains the request with the service's codes, as a verdict does", () => {
    const { requestId: id, ...rest } = request;
    expect(requestEvent({})).toEqual({
      kind: "request",
      reference: "kyc_1",
      userReference: "usr_1",
      request: { ...rest, id, reason: "SELFIE_UNREADABLE" },
    });
  });

  it.each([
    { reference: "" },
    { userReference: undefined },
    { request: undefined },
    { request: { ...request, status: "waiting" } },
    { request: { ...request, requestId: "4242424242424242" } },
  ])("is unreadable with %j", (changes) => {
    expect(requestEvent(changes)).toEqual(unreadable);
  });

  it("is not needed for the requests of a decision, and an invalid one does not reject the decision", () => {
    const requests = [request, { ...request, requestId: "req_2", status: "waiting" }];
    expect(read(update({ requests }))).toMatchObject({
      kind: "kyc",
      verdict: { requests: [{ id: "req_1" }] },
    });
  });
});

describe("an event about a card", () => {
  const data = { cardId: "card_1", userReference: "usr_1", status: "locked" };
  const cardEvent = (changes: object) => read({ type: "card.updated", data: { ...data, ...changes } });
  const card = { cardId: "card_1", externalUserId: "usr_1", status: "locked" };

  it("contains the card, its user, its status, and the event id from the header", () => {
    expect(cardEvent({ last4: "4242", nameOnCard: "ADA" })).toEqual({ kind: "card", eventId: "msg_1", card });
  });

  it.each([undefined, null])("may have no status: %s", (status) => {
    expect(cardEvent({ status })).toMatchObject({ kind: "card", card: { ...card, status: null } });
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
