import { card as cardSchema } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { listen } from "../support/listener.ts";
import { connect } from "../support/provider.ts";
import { card, http, page, request } from "../support/responses.ts";

const full = {
  ...card,
  memberId: "member-1",
  cardAccountId: "acct_1",
  type: "virtual",
  network: "visa",
  last4: "4242",
  expiryMonth: 5,
  expiryYear: 2031,
  nameOnCard: "ADA EXAMPLE",
  currency: "USD",
  createdAt: "2026-01-31T12:00:00.000Z",
};

async function listCards(items: readonly unknown[]) {
  const { url } = await listen((socket) => socket.write(http(200, page(items))));
  const { provider, observed } = connect(url);
  return { ...(await provider.listCards(request)), observed };
}

it("maps the fields of the contract and drops all others", async () => {
  const extra = { pan: "4242424242424242", cvv: "123", userId: 7, ["__proto__"]: { cvv: "123" } };
  const { items, total, observed } = await listCards([{ ...full, ...extra }]);
  const { userReference: _, ...shown } = full;
  expect(items).toEqual([shown]);
  expect(total).toBe(1);
  expect(observed).toEqual([]);
});

it("maps missing fields to null without reporting them", async () => {
  const { items, observed } = await listCards([card, { ...card, nameOnCard: null }]);
  for (const item of items) {
    expect(Object.values(item).filter((value) => value !== null)).toEqual(["card_1", "active"]);
    expect(cardSchema.parse(item)).toEqual(item);
  }
  expect(observed).toEqual([]);
});

it.each([
  ["last4", "424"],
  ["last4", 4242],
  ["last4", "4242424242424242"],
  ["expiryMonth", 13],
  ["expiryMonth", "5"],
  ["expiryYear", 31],
  ["currency", "usd"],
  ["createdAt", "31.1.2026"],
  ["createdAt", "2026-02-30T00:00:00Z"],
  ["createdAt", "2026-01-31"],
  ["createdAt", 1_769_860_800],
  ["type", { virtual: true }],
  ["type", ""],
  ["type", "737"],
  ["network", " 1234 "],
  ["nameOnCard", "737"],
  ["network", "visa 4242424242424242"],
  ["nameOnCard", "x".repeat(257)],
  ["nameOnCard", "ADA 4242-4242 4242.4242"],
  ["nameOnCard", "４２４２４２４２４２４２４２４２"],
  ["memberId", 12],
  ["memberId", "4242 4242 4242 4242"],
  ["memberId", "member:4242424242424242"],
  ["cardAccountId", "378282246310005"],
  ["cardAccountId", "4242-4242-4242-4242 737"],
])("maps a %s of %j to null and reports it", async (field, value) => {
  const { items, observed } = await listCards([{ ...full, [field]: value }]);
  expect(items[0]).toMatchObject({ cardId: "card_1", [field]: null });
  expect(Object.values(items[0] ?? {}).filter((shown) => shown === null)).toHaveLength(1);
  expect(observed).toEqual([{ event: "provider_card_field_malformed", labels: { field } }]);
});

it.each([
  ["2026-01-31T20:00:00+08:00", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123Z"],
])("maps a time of %s to UTC", async (createdAt, shown) => {
  const { items } = await listCards([{ ...full, createdAt }]);
  expect(items[0]?.createdAt).toBe(shown);
});

it("keeps ids and statuses unchanged", async () => {
  const ids = [
    "card_1",
    "2f1c7c86-41d4-4716-8466-554400001111",
    "12345678901",
    "12345678901234567890",
    "737",
    "card_4242424242424241",
    "4716-8466-554400001111",
    "f4242424242424242a",
    "ключ 7",
  ];
  const status = "SUSPENDED_by issuer";
  const { items } = await listCards(ids.map((cardId) => ({ ...card, cardId, status })));
  expect(items.map(({ cardId }) => cardId)).toEqual(ids);
  expect(items.every((item) => item.status === status)).toBe(true);
});
