import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "@cardbridge/sandbox";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newOrder } from "../src/conformance/orders.ts";
import { createEventReader } from "../src/index.ts";
import { http, state } from "./support/answers.ts";
import { listen } from "./support/listener.ts";
import { client, connect } from "./support/provider.ts";

const secret = `whsec_${Buffer.from("the shared secret of these tests").toString("base64")}`;
const another = `whsec_${Buffer.from("another secret, of other tests!!").toString("base64")}`;
const verdict = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1", revision: 1 };
const told = { kind: "kyc", reference: "kyc_1", userReference: "usr_1", verdict };
const unsigned = { kind: "unsigned" };
const unreadable = { kind: "unreadable" };

const seconds = () => Math.floor(Date.now() / 1000);
const update = (changes: object = {}) => ({ type: "kyc.updated", data: { ...state, ...changes } });

/** The specification, read a second time. */
function sign(body: string, timestamp: number, key = secret): Record<string, string> {
  const bytes = Buffer.from(key.replace("whsec_", ""), "base64");
  const hash = createHmac("sha256", bytes).update(`msg_1.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${hash}`,
  };
}

/** Reads what the provider would send, with the headers that it would send or others. */
function read(content: unknown, change: (good: Record<string, string>) => object = () => ({})) {
  const body = typeof content === "string" ? content : JSON.stringify(content);
  const good = sign(body, seconds());
  return createEventReader({ secrets: [secret] }).read(new Headers({ ...good, ...change(good) }), body);
}

describe("signatures", () => {
  it("takes what the provider signed", () => {
    expect(read(update())).toEqual(told);
  });

  it("refuses another secret", () => {
    expect(read(update(), () => sign(JSON.stringify(update()), seconds(), another))).toEqual(unsigned);
  });

  it.each([-1, 1])("a timestamp may be 300 s from the clock, and no more: %i", (direction) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const at = (distance: number) => () => sign(JSON.stringify(update()), seconds() + direction * distance);
    expect(read(update(), at(300))).toEqual(told);
    expect(read(update(), at(301))).toEqual(unsigned);
  });

  it("refuses another body, id or time than the signed one", () => {
    const good = sign(JSON.stringify(update()), seconds());
    expect(read(update({ status: "rejected" }), () => good)).toEqual(unsigned);
    expect(read(`${JSON.stringify(update())} `, () => good)).toEqual(unsigned);
    expect(read(update(), () => ({ "webhook-id": "msg_2" }))).toEqual(unsigned);
    expect(read(update(), () => ({ "webhook-timestamp": String(seconds() - 9) }))).toEqual(unsigned);
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("refuses to do without %s", (name) => {
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
  ])("refuses %s: %s", (name, value) => {
    expect(read(update(), () => ({ [name]: value }))).toEqual(unsigned);
  });

  it("refuses a signature of another version", () => {
    const v2 = (text = "") => ({ "webhook-signature": text.replace("v1,", "v2,") });
    expect(read(update(), (good) => v2(good["webhook-signature"]))).toEqual(unsigned);
  });

  it("takes any right one of several signatures", () => {
    const wrong = "v1,d3Jvbmc= v1a,d3Jvbmc=";
    const among = (good: Record<string, string>) => ({
      "webhook-signature": `${wrong} ${good["webhook-signature"]} ${wrong}`,
    });
    expect(read(update(), among)).toEqual(told);
    expect(read(update(), () => ({ "webhook-signature": wrong }))).toEqual(unsigned);
  });

  it("takes what any of several secrets signed", () => {
    const body = JSON.stringify(update());
    const headers = new Headers(sign(body, seconds()));
    expect(createEventReader({ secrets: [another, secret] }).read(headers, body)).toEqual(told);
    expect(createEventReader({ secrets: [another] }).read(headers, body)).toEqual(unsigned);
  });

  it("says that a secret cannot be used, without quoting it", () => {
    for (const secrets of [[], [""], ["whsec_"], ["whsec_no base64!"], [secret, "no base64!"]]) {
      const create = () => createEventReader({ secrets });
      expect(create).toThrow(TypeError);
      expect(create).toThrow(
        /^(An event reader needs a secret|An event secret must be whsec_ and base64)\.$/,
      );
    }
  });
});

describe("contents", () => {
  it.each(["pending_approval", "rejected", "manual_review", "審査中"])("passes the status %s", (status) => {
    expect(read(update({ status }))).toEqual({ ...told, verdict: { ...verdict, subStatus: status } });
  });

  it("passes an account that is null or absent as null, and drops fields that nobody knows", () => {
    const { cardAccountId: _, ...rest } = update({ more: true }).data;
    const without = { ...told, verdict: { ...verdict, cardAccountId: null } };
    expect(read({ type: "kyc.updated", data: rest, more: true })).toEqual(without);
    expect(read(update({ cardAccountId: null }))).toEqual(without);
  });

  it.each([[{ type: "card.updated", data: { cardId: 1 } }], [{ type: "", data: null }], [{ type: "x" }]])(
    "takes another type: %j",
    (event) => {
      expect(read(event)).toEqual({ kind: "other" });
    },
  );

  it.each([
    ["nothing", ""],
    ["no JSON", "<p>It works!</p>"],
    ["another shape", []],
    ["null", "null"],
    ["no type", { data: state }],
    ["no data", { type: "kyc.updated" }],
    ["no status", update({ status: "" })],
    ["a card number for a status", update({ status: "4242424242424242" })],
    ["no revision", update({ revision: null })],
    ["half a revision", update({ revision: 1.5 })],
    ["an account that is none", update({ cardAccountId: 7 })],
    ["no reference", update({ reference: "" })],
    ["a reference that cannot be stored", update({ reference: "kyc_\u0000" })],
    ["half a character", update({ userReference: "usr_\ud800" })],
  ])("cannot read %s", (_, content) => {
    expect(read(content)).toEqual(unreadable);
  });

  it("finds an unsigned one unsigned, whatever is in it", () => {
    expect(read("<p>It works!</p>", () => ({ "webhook-id": "msg_2" }))).toEqual(unsigned);
  });
});

it("reads what the sandbox sends", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "cardbridge-events-"));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const receiver = await listen((socket) => socket.write(http(204)));
  const sandbox = await startSandbox({ dataFolder, ...client, events: { url: receiver.url, secret } });
  onTestFinished(() => sandbox.close());

  const order = newOrder("ada+approved@example.com");
  const answer = await connect(sandbox.url).provider.submitKyc(order);
  await vi.waitUntil(() => receiver.requests.length > 0, { timeout: 60_000 });
  const [event] = receiver.requests;
  const { reference, userReference } = order;
  expect(
    createEventReader({ secrets: [secret] }).read(
      new Headers([...(event?.headers ?? [])]),
      event?.body ?? "",
    ),
  ).toEqual({ kind: "kyc", reference, userReference, verdict: answer });
});
