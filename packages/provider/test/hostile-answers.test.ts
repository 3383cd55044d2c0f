import { describe, expect, it } from "vitest";
import { newOrder } from "../src/conformance/orders.ts";
import { card, http, names, page, refusal, request, state } from "./support/answers.ts";
import { type Behaviour, listen } from "./support/listener.ts";
import { connect, failureOf } from "./support/provider.ts";

const html = "<!doctype html><title>Welcome</title>";
const cut =
  (answer: string): Behaviour =>
  (socket) =>
    socket.end(answer.slice(0, -9));
const send =
  (answer: string | Buffer): Behaviour =>
  (socket) =>
    socket.write(answer);
const latin1 = (answer: string) =>
  Buffer.from(answer.replaceAll("é", "?").replaceAll("ü", "\u00fc"), "latin1");
const own = { "content-encoding": "gzip" };

/** What no 200 may be, with the reason that is given. */
const unusable: [string, (body: unknown) => Behaviour, string][] = [
  ["HTML", () => send(http(200, html)), "not-json"],
  ["nothing", () => send(http(200)), "not-json"],
  ["truncated", (body) => cut(http(200, body)), "truncated"],
  [
    "cut where no length was promised",
    () => (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":'),
    "not-json",
  ],
  ["not UTF-8", () => send(latin1(http(200, '{"status":"?"}').replace("?", "ü"))), "not-utf8"],
  ["not HTTP", () => send("220 mail.example ESMTP\r\n\r\n"), "not-http"],
  ["compressed, which nobody asked for", (body) => send(http(200, body, own)), "encoded"],
  ["a number", () => send(http(200, "1")), "wrong-shape"],
  ["another object", () => send(http(200, { hello: "world" })), "wrong-shape"],
  ["a promise of 2 GB", () => send(http(200, "{", { "content-length": "2000000000" })), "too-large"],
  ["another 2xx", (body) => send(http(202, body)), "status-202"],
  ["a not modified", () => send(http(304)), "status-304"],
  ["418", () => send(http(418, state)), "status-418"],
  ["409", () => send(http(409, { error: { code: "reference_conflict" } })), "status-409"],
  ["an unknown 404", () => send(http(404, html)), "status-404"],
  [
    "a 422 without the documented code",
    () => send(http(422, { ...names, error: { code: "x" } })),
    "status-422",
  ],
];

describe("a list of cards", () => {
  const pages: [string, unknown, string][] = [
    ["a total that is a text", page([card], { total: "1" }), "wrong-shape"],
    ["items that are an object", page([], { items: {} }), "wrong-shape"],
    ["a card without a status", page([{ ...card, status: undefined }]), "wrong-shape"],
    ["a card without an id", page([{ ...card, cardId: null }]), "wrong-shape"],
    ["a card without an owner", page([{ ...card, userReference: undefined }]), "wrong-shape"],
    ["a card number for an id", page([{ ...card, cardId: "4242 4242-4242 4242" }]), "wrong-shape"],
    ["a card number in an id", page([{ ...card, cardId: "card_4242424242424242" }]), "wrong-shape"],
    ["a card number for a status", page([{ ...card, status: "4242424242424242" }]), "wrong-shape"],
    ["a card number in a status", page([{ ...card, status: "active 4242-4242 4242" }]), "wrong-shape"],
    ["another page", page([], { page: 2 }), "wrong-page"],
    ["another page size", page([], { pageSize: 50 }), "wrong-page"],
    ["more than a page", page(Array(21).fill(card)), "wrong-page"],
    ["more than there is", page([card], { total: 0 }), "wrong-page"],
  ];
  const table = [
    ...unusable.map(([name, behaviour, reason]) => [name, behaviour(page()), reason] as const),
    ...pages.map(([name, body, reason]) => [name, send(http(200, body)), reason] as const),
  ];

  it.each(table)("that is %s cannot be used", async (_, behaviour, reason) => {
    const listener = await listen(behaviour);
    const { provider, observed } = connect(listener.url);
    const failure = await failureOf(provider.listCards(request));
    expect(failure).toEqual({ code: "PROVIDER_ANSWER_INVALID", reason, retryAfterSeconds: undefined });
    expect(observed).toEqual([
      { what: "provider_answer_unreadable", labels: { operation: "listCards", reason } },
    ]);
    expect(listener.requests).toHaveLength(1);
  });

  it("of another user is never shown, whether the page or a card says so", async () => {
    const foreign = { ...card, cardId: "card_2", userReference: "usr_2" };
    const bodies = [page([card], { userReference: "usr_2" }), page([card, foreign])];
    const { url } = await listen((socket, _, count) => socket.write(http(200, bodies[count - 1])));
    const { provider, observed } = connect(url);
    for (const _ of bodies) {
      expect(await failureOf(provider.listCards(request))).toMatchObject({
        code: "PROVIDER_ANSWER_INVALID",
        reason: "foreign",
      });
    }
    expect(observed.map(({ what }) => what)).toEqual(["provider_foreign_answer", "provider_foreign_answer"]);
  });

  it("with another status than the one asked for cannot be used", async () => {
    const { url } = await listen(send(http(200, page())));
    const { provider } = connect(url);
    const failure = await failureOf(provider.listCards({ ...request, status: "locked" }));
    expect(failure).toMatchObject({ code: "PROVIDER_ANSWER_INVALID", reason: "wrong-page" });
  });

  it("is empty only for the documented unknown user", async () => {
    const bodies = [{ error: { code: "user_not_found" } }, { error: { code: "not_found" } }];
    const { url } = await listen((socket, _, count) => socket.write(http(404, bodies[count - 1])));
    const { provider } = connect(url);
    expect(await provider.listCards(request)).toEqual({ items: [], total: 0 });
    expect(await failureOf(provider.listCards(request))).toMatchObject({ code: "PROVIDER_ANSWER_INVALID" });
  });
});

describe("a KYC answer", () => {
  const foreign = { ...state, userReference: "usr_2" };
  const table: (readonly [string, Behaviour, string])[] = [
    ...unusable.map(([name, behaviour, reason]) => [name, behaviour(state), reason] as const),
    ["401", send(http(401, { error: { code: "unauthenticated" } })), "status-401"],
    ["403", send(http(403)), "status-403"],
    ["a state without a status", send(http(200, { ...state, status: null })), "wrong-shape"],
    ["a status that cannot be stored", send(http(200, { ...state, status: "a\u0000b" })), "wrong-shape"],
    ["a card number for a status", send(http(200, { ...state, status: "4242424242424242" })), "wrong-shape"],
    [
      "a card number in a status",
      send(http(200, { ...state, status: "approved:378282246310005" })),
      "wrong-shape",
    ],
    ["an endless status", send(http(200, { ...state, status: "x".repeat(65) })), "wrong-shape"],
    ["an account that is a number", send(http(200, { ...state, cardAccountId: 7 })), "wrong-shape"],
    ["a state of another user", send(http(200, foreign)), "foreign"],
    ["a state of another reference", send(http(200, { ...state, reference: "kyc_2" })), "foreign"],
    ["a refusal of another reference", send(http(422, { ...refusal, reference: "kyc_2" })), "foreign"],
    ["a refusal of nobody", send(http(422, { error: refusal.error })), "status-422"],
    ["a refusal as 400", send(http(400, refusal)), "status-400"],
    ["a refusal as 200", send(http(200, refusal)), "wrong-shape"],
  ];

  it.each(table)("that is %s leaves the outcome unknown", async (_, behaviour, reason) => {
    const listener = await listen(behaviour);
    const { provider, observed } = connect(listener.url);
    expect(await provider.submitKyc({ ...newOrder("a@b.example"), ...names })).toEqual({
      outcome: "unknown",
      reason,
    });
    expect(listener.requests).toHaveLength(1);
    expect(await provider.findKyc(names)).toEqual({ outcome: "unknown", reason });
    expect(listener.requests).toHaveLength(2);
    for (const { what, labels } of observed) {
      expect(what).toBe(reason === "foreign" ? "provider_foreign_answer" : "provider_answer_unreadable");
      expect(labels).toMatchObject({ reason });
    }
  });

  it("is not found only when the provider says so of our reference", async () => {
    const said = (reference: string) => http(404, { reference, error: { code: "not_found" } });
    const { url } = await listen((socket, _, count) => socket.write(said(count === 1 ? "kyc_1" : "kyc_2")));
    const { provider, observed } = connect(url);
    expect(await provider.findKyc(names)).toEqual({ outcome: "not-found" });
    expect(await provider.findKyc(names)).toEqual({ outcome: "unknown", reason: "foreign" });
    expect(observed).toMatchObject([{ what: "provider_foreign_answer" }]);
  });

  it("that names no account is a yes without one", async () => {
    const { cardAccountId: _, ...without } = state;
    const { url } = await listen(send(http(200, without)));
    const answer = await connect(url).provider.submitKyc({ ...newOrder("a@b.example"), ...names });
    expect(answer).toEqual({ outcome: "answered", subStatus: "approved", cardAccountId: null, revision: 1 });
  });
});

it("stops reading at the size cap, whatever else the provider wants to send", async () => {
  const megabyte = Buffer.alloc(1_048_576, 0x20);
  const listener = await listen((socket) => {
    let left = 100;
    const pour = () => {
      while (left > 0) {
        left -= 1;
        if (!socket.write(megabyte)) return;
      }
    };
    socket.on("drain", pour);
    socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
    pour();
  });
  const { provider } = connect(listener.url);
  const reason = "too-large";
  expect(await failureOf(provider.listCards(request))).toMatchObject({
    code: "PROVIDER_ANSWER_INVALID",
    reason,
  });
  expect(await provider.submitKyc({ ...newOrder("a@b.example"), ...names })).toEqual({
    outcome: "unknown",
    reason,
  });
  for (const socket of listener.sockets) {
    const unsent = socket.writableLength;
    expect(socket.bytesWritten - unsent).toBeLessThan(20 * megabyte.length);
  }
});

it("follows no redirect", async () => {
  const inside = await listen(send(http(200, page())));
  const location = `${inside.url}/v1/cards`;
  for (const status of [301, 302, 307, 308]) {
    const { url } = await listen(send(http(status, "", { location })));
    const { provider } = connect(url);
    const reason = `status-${status}`;
    expect(await failureOf(provider.listCards(request))).toMatchObject({
      code: "PROVIDER_ANSWER_INVALID",
      reason,
    });
    expect(await provider.submitKyc({ ...newOrder("a@b.example"), ...names })).toEqual({
      outcome: "unknown",
      reason,
    });
  }
  expect(inside.sockets).toHaveLength(0);
});
