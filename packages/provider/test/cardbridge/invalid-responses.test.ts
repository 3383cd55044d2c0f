import { describe, expect, it } from "vitest";
import { type Behaviour, listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import {
  card,
  http,
  kycQuery,
  kycReference,
  kycRequest,
  page,
  refusal,
  request,
  state,
} from "../support/responses.ts";

const html = "<!doctype html><title>Welcome</title>";
function truncate(response: string): Behaviour {
  return (socket) => socket.end(response.slice(0, -9));
}
function send(response: string | Buffer): Behaviour {
  return (socket) => socket.write(response);
}
const latin1 = (response: string) =>
  Buffer.from(response.replaceAll("é", "?").replaceAll("ü", "\u00fc"), "latin1");
const gzip = { "content-encoding": "gzip" };

/** Responses that are invalid for every operation, with the expected reason. */
const invalid: [string, (body: unknown) => Behaviour, string][] = [
  ["HTML", () => send(http(200, html)), "not-json"],
  ["empty", () => send(http(200)), "not-json"],
  ["truncated", (body) => truncate(http(200, body)), "truncated"],
  [
    "truncated without Content-Length",
    () => (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":'),
    "not-json",
  ],
  ["not UTF-8", () => send(latin1(http(200, '{"status":"?"}').replace("?", "ü"))), "not-utf8"],
  ["not HTTP", () => send("220 mail.example ESMTP\r\n\r\n"), "not-http"],
  ["compressed without being requested", (body) => send(http(200, body, gzip)), "encoded"],
  ["a number", () => send(http(200, "1")), "wrong-shape"],
  ["another object", () => send(http(200, { hello: "world" })), "wrong-shape"],
  ["announced with 2 GB", () => send(http(200, "{", { "content-length": "2000000000" })), "too-large"],
  ["another 2xx", (body) => send(http(202, body)), "status-202"],
  ["a 304", () => send(http(304)), "status-304"],
  ["a 418", () => send(http(418, state)), "status-418"],
  ["a 409", () => send(http(409, { error: { code: "reference_conflict" } })), "status-409"],
  ["an unknown 404", () => send(http(404, html)), "status-404"],
  [
    "a 422 without the documented code",
    () => send(http(422, { ...kycReference, error: { code: "x" } })),
    "status-422",
  ],
];

describe("a response to listCards", () => {
  const pages: [string, unknown, string][] = [
    ["a page with a total that is a string", page([card], { total: "1" }), "wrong-shape"],
    ["a card without a status", page([{ ...card, status: undefined }]), "wrong-shape"],
    ["a card without an owner", page([{ ...card, userReference: undefined }]), "wrong-shape"],
    ["a card number in an id", page([{ ...card, cardId: "card_4242424242424242" }]), "wrong-shape"],
    ["a card number in a status", page([{ ...card, status: "active 4242-4242 4242" }]), "wrong-shape"],
    ["another page", page([], { page: 2 }), "wrong-page"],
    ["a page with more items than pageSize", page(Array(21).fill(card)), "wrong-page"],
    ["a page with more items than total", page([card], { total: 0 }), "wrong-page"],
  ];
  const table = [
    ...invalid.map(([name, behaviour, reason]) => [name, behaviour(page()), reason] as const),
    ...pages.map(([name, body, reason]) => [name, send(http(200, body)), reason] as const),
  ];

  it.each(table)("that is %s is PROVIDER_ANSWER_INVALID", async (_, behaviour, reason) => {
    const listener = await listen(behaviour);
    const { provider, observed } = connect(listener.url);
    const failure = await failureOf(provider.listCards(request));
    expect(failure).toEqual({ code: "PROVIDER_ANSWER_INVALID", reason, retryAfterSeconds: undefined });
    expect(observed).toEqual([
      { event: "provider_answer_unreadable", labels: { operation: "listCards", reason } },
    ]);
    expect(listener.requests).toHaveLength(1);
  });

  it("is invalid if the page or a card belongs to another user", async () => {
    const foreign = { ...card, cardId: "card_2", userReference: "usr_2" };
    const bodies = [page([card], { userReference: "usr_2" }), page([card, foreign])];
    const { url } = await listen((socket, _, count) => socket.write(http(200, bodies[count - 1])));
    const { provider, observed } = connect(url);
    const failure = { code: "PROVIDER_ANSWER_INVALID", reason: "mismatched" };
    for (const _ of bodies) expect(await failureOf(provider.listCards(request))).toMatchObject(failure);
    const event = "provider_answer_mismatched";
    expect(observed).toMatchObject([{ event }, { event }]);
  });

  it("is invalid with a status other than the requested status", async () => {
    const { url } = await listen(send(http(200, page())));
    const list = connect(url).provider.listCards({ ...request, status: "locked" });
    expect(await failureOf(list)).toMatchObject({ code: "PROVIDER_ANSWER_INVALID", reason: "wrong-page" });
  });

  it("is an empty list only for the documented user_not_found", async () => {
    const bodies = [{ error: { code: "user_not_found" } }, { error: { code: "not_found" } }];
    const { url } = await listen((socket, _, count) => socket.write(http(404, bodies[count - 1])));
    const { provider } = connect(url);
    expect(await provider.listCards(request)).toEqual({ items: [], total: 0 });
    expect(await failureOf(provider.listCards(request))).toMatchObject({ code: "PROVIDER_ANSWER_INVALID" });
  });
});

describe("a response to findCard", () => {
  const missing = (cardId: string) => http(404, { cardId, error: { code: "card_not_found" } });
  const cards: [string, Behaviour, string][] = [
    ["without an owner", send(http(200, { ...card, userReference: undefined })), "wrong-shape"],
    [
      "with an owner that cannot be looked up",
      send(http(200, { ...card, userReference: "a\u0000" })),
      "wrong-shape",
    ],
    ["in a list", send(http(200, [card])), "wrong-shape"],
    ["that is another card", send(http(200, { ...card, cardId: "card_2" })), "mismatched"],
    ["about another card, as a 404", send(missing("card_2")), "mismatched"],
    ["about a user, as a 404", send(http(404, { error: { code: "user_not_found" } })), "status-404"],
  ];
  const table = [
    ...invalid.map(([name, behaviour, reason]) => [`that is ${name}`, behaviour(card), reason] as const),
    ...cards,
  ];

  it.each(table)("%s is PROVIDER_ANSWER_INVALID", async (_, behaviour, reason) => {
    const listener = await listen(behaviour);
    const { provider, observed } = connect(listener.url);
    const failure = await failureOf(provider.findCard("card_1"));
    expect(failure).toEqual({ code: "PROVIDER_ANSWER_INVALID", reason, retryAfterSeconds: undefined });
    const event = reason === "mismatched" ? "provider_answer_mismatched" : "provider_answer_unreadable";
    expect(observed).toEqual([{ event, labels: { operation: "findCard", reason } }]);
    expect(listener.requests).toHaveLength(1);
  });

  it("is null only for the documented card_not_found", async () => {
    const { url, requests } = await listen(send(missing("a/b:c")));
    const { provider, observed } = connect(url);
    expect(await provider.findCard("a/b:c")).toBeNull();
    expect(requests.map(({ target }) => target)).toEqual(["/v1/cards/a%2Fb%3Ac"]);
    expect(observed).toEqual([]);
  });
});

describe("a response to a KYC call", () => {
  const foreign = { ...state, userReference: "usr_2" };
  const table: (readonly [string, Behaviour, string])[] = [
    ...invalid.map(([name, behaviour, reason]) => [name, behaviour(state), reason] as const),
    ["a 401", send(http(401, { error: { code: "unauthenticated" } })), "status-401"],
    ["a 401 at the same time", send(http(401, {}, { date: new Date().toUTCString() })), "status-401"],
    [
      "a 401 from another time",
      send(http(401, {}, { date: "Fri, 31 Jan 2020 12:00:00 GMT" })),
      "clock-differs",
    ],
    ["a state without a status", send(http(200, { ...state, status: null })), "wrong-shape"],
    ["a status that cannot be stored", send(http(200, { ...state, status: "a\u0000b" })), "wrong-shape"],
    [
      "a card number in a status",
      send(http(200, { ...state, status: "approved:378282246310005" })),
      "wrong-shape",
    ],
    ["a status of 65 characters", send(http(200, { ...state, status: "x".repeat(65) })), "wrong-shape"],
    ["an account that is a number", send(http(200, { ...state, cardAccountId: 7 })), "wrong-shape"],
    ["a state of another user", send(http(200, foreign)), "mismatched"],
    ["a state of another reference", send(http(200, { ...state, reference: "kyc_2" })), "mismatched"],
    ["a refusal of another reference", send(http(422, { ...refusal, reference: "kyc_2" })), "mismatched"],
    ["a refusal without references", send(http(422, { error: refusal.error })), "status-422"],
    ["a refusal as 400", send(http(400, refusal)), "status-400"],
    ["a refusal as 200", send(http(200, refusal)), "wrong-shape"],
  ];

  it.each(table)("that is %s makes the outcome unknown", async (_, behaviour, reason) => {
    const listener = await listen(behaviour);
    const { provider, observed } = connect(listener.url);
    expect(await provider.submitKyc(kycRequest)).toEqual({
      outcome: "unknown",
      reason,
    });
    expect(listener.requests).toHaveLength(1);
    expect(await provider.findKyc(kycQuery)).toEqual({ outcome: "unknown", reason });
    expect(listener.requests).toHaveLength(2);
    const kind = reason === "mismatched" ? "provider_answer_mismatched" : "provider_answer_unreadable";
    for (const { event, labels } of observed) expect([event, labels?.reason]).toEqual([kind, reason]);
  });

  it("is not-found only for the requested reference", async () => {
    const notFound = (reference: string) => http(404, { reference, error: { code: "not_found" } });
    const { url } = await listen((socket, _, count) => socket.write(notFound(`kyc_${count}`)));
    const { provider, observed } = connect(url);
    expect(await provider.findKyc(kycQuery)).toEqual({ outcome: "not-found" });
    expect(await provider.findKyc(kycQuery)).toEqual({ outcome: "unknown", reason: "mismatched" });
    expect(observed).toMatchObject([{ event: "provider_answer_mismatched" }]);
  });

  it("without an account results in a null account", async () => {
    const { cardAccountId: _, ...without } = state;
    const { url } = await listen(send(http(200, without)));
    const answer = await connect(url).provider.submitKyc(kycRequest);
    expect(answer).toEqual({ outcome: "answered", subStatus: "approved", cardAccountId: null, revision: 1 });
  });
});

it("stops reading at the size limit", async () => {
  const megabyte = Buffer.alloc(1_048_576, 0x20);
  const listener = await listen((socket) => {
    let left = 100;
    const sendMore = () => {
      while (left > 0) {
        left -= 1;
        if (!socket.write(megabyte)) return;
      }
    };
    socket.on("drain", sendMore);
    socket.write("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n");
    sendMore();
  });
  const { provider } = connect(listener.url);
  const reason = "too-large";
  const invalid = { code: "PROVIDER_ANSWER_INVALID", reason };
  expect(await failureOf(provider.listCards(request))).toMatchObject(invalid);
  expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unknown", reason });
  for (const socket of listener.sockets) {
    const unsent = socket.writableLength;
    expect(socket.bytesWritten - unsent).toBeLessThan(20 * megabyte.length);
  }
});

it("does not follow redirects", async () => {
  const internal = await listen(send(http(200, page())));
  for (const status of [301, 302, 307, 308]) {
    const { url } = await listen(send(http(status, "", { location: `${internal.url}/v1/cards` })));
    const { provider } = connect(url);
    const reason = `status-${status}`;
    const invalid = { code: "PROVIDER_ANSWER_INVALID", reason };
    expect(await failureOf(provider.listCards(request))).toMatchObject(invalid);
    expect(await provider.submitKyc(kycRequest)).toEqual({ outcome: "unknown", reason });
  }
  expect(internal.sockets).toHaveLength(0);
});
