import { type ForkedFake, forkFake } from "@cardbridge/airwallex-fake";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectAirwallex } from "../support/airwallex.ts";
import { failureOf } from "../support/provider.ts";

let fake: ForkedFake;
beforeAll(async () => {
  fake = await forkFake();
});
afterEach(() => fake.reset());
afterAll(() => fake.close());

const list = { method: "GET", path: "/api/v1/issuing/cards" };
const page = { page: 1, pageSize: 20 };

/** Creates a user with a cardholder and cards. */
async function withCards(...cards: object[]) {
  const connected = connectAirwallex(fake);
  const request = connected.newRequest();
  await connected.provider.submitKyc(request);
  const cardholderId = (await request.steps.done("cardholder"))?.id;
  for (const card of cards) await fake.admin("POST", "/cards", { cardholder_id: cardholderId, ...card });
  return { ...connected, cardholderId, query: { ...page, userReference: request.userReference } };
}

describe("a list", () => {
  it("maps a card by field, with null for fields that lists do not contain", async () => {
    const card = { card_id: "card-1", last_four: "1881", created_at: "2026-05-12T10:00:00+0000" };
    const { provider, query, cardholderId, observed } = await withCards(card);
    expect(await provider.listCards(query)).toEqual({
      total: 1,
      items: [
        {
          cardId: "card-1",
          status: "ACTIVE",
          memberId: null,
          cardAccountId: cardholderId,
          type: null,
          network: "VISA",
          last4: "1881",
          expiryMonth: null,
          expiryYear: null,
          nameOnCard: null,
          currency: null,
          createdAt: "2026-05-12T10:00:00.000Z",
        },
      ],
    });
    expect(observed).toEqual([]);
  });

  it("reads every page", async () => {
    const cards = Array.from({ length: 51 }, (_, index) => ({ card_id: `card-${index}` }));
    const { provider, query } = await withCards(...cards);
    expect((await provider.listCards(query)).total).toBe(51);
  });

  it("never returns a number without a mask", async () => {
    const { provider, query, cardholderId, observed } = await withCards();
    const card = { card_id: "card-1", card_status: "ACTIVE", brand: "VISA", cardholder_id: cardholderId };
    const item = { ...card, card_number: "4242424242424242" };
    await fake.fail({ kind: "merge", ...list, fields: { items: [item] } });
    expect(await provider.listCards(query)).toMatchObject({ items: [{ last4: null }] });
    expect(observed).toMatchObject([{ labels: { field: "last4" } }]);
  });

  it.each([
    ["of another cardholder", { cardholder_id: "another" }, "mismatched"],
    ["without a cardholder", { cardholder_id: undefined }, "mismatched"],
    ["without a status", { card_status: null }, "wrong-shape"],
    ["with a card number for an id", { card_id: "4242424242424242" }, "wrong-shape"],
  ])("with a card %s is invalid", async (_, changes, reason) => {
    const { provider, query, cardholderId } = await withCards();
    const item = { card_id: "card-1", card_status: "ACTIVE", cardholder_id: cardholderId, ...changes };
    await fake.fail({ kind: "merge", ...list, fields: { items: [item] } });
    const invalid = { code: "PROVIDER_ANSWER_INVALID", reason };
    expect(await failureOf(provider.listCards(query))).toMatchObject(invalid);
  });

  it.each([
    ["HTML", { kind: "html" }, "PROVIDER_ANSWER_INVALID", "not-json"],
    ["a 404", { kind: "html", status: 404 }, "PROVIDER_ANSWER_INVALID", "status-404"],
    ["a truncated page", { kind: "truncated" }, "PROVIDER_ANSWER_INVALID", undefined],
    ["a 429", { kind: "rate_limit", retryAfterSeconds: 7 }, "PROVIDER_UNAVAILABLE", "status-429"],
    ["a 403", { kind: "html", status: 403 }, "PROVIDER_UNAVAILABLE", "status-403"],
  ])("that is %s fails with its code", async (_, fault, code, reason) => {
    const { provider, query } = await withCards();
    await fake.fail({ ...list, ...fault });
    expect(await failureOf(provider.listCards(query))).toMatchObject({ code, ...(reason && { reason }) });
  });

  it("is retried after a temporary failure", async () => {
    const { provider, query } = await withCards({ card_id: "card-1" });
    await fake.fail({ kind: "reset", ...list });
    expect(await provider.listCards(query)).toMatchObject({ total: 1 });
  });
});

describe("a card", () => {
  it("of a cardholder that is not a user of this service is null", async () => {
    const { provider, users } = await withCards({ card_id: "card-1" });
    expect(await provider.findCard("card-1")).not.toBeNull();
    users.clear();
    expect(await provider.findCard("card-1")).toBeNull();
  });

  it("with another id than the requested one is invalid", async () => {
    const { provider } = await withCards({ card_id: "card-1" });
    await fake.fail({ kind: "merge", ...list, fields: { card_id: "card-2" } });
    expect(await failureOf(provider.findCard("card-1"))).toMatchObject({ reason: "mismatched" });
  });

  it("is null only for Airwallex's own 404", async () => {
    const { provider } = connectAirwallex(fake);
    expect(await provider.findCard("card-1")).toBeNull();
    await fake.fail({ kind: "html", ...list, status: 404 });
    expect(await failureOf(provider.findCard("card-1"))).toMatchObject({ reason: "status-404" });
  });
});
