import type { Card } from "@cardbridge/domain";

/** The card of the documented examples. */
export const exampleCard: Card = {
  cardId: "card_demo_0001",
  status: "active",
  memberId: null,
  cardAccountId: "acct_demo_4w5p",
  type: "virtual",
  network: "visa",
  last4: "4001",
  expiryMonth: 5,
  expiryYear: 2031,
  nameOnCard: "ALICE DEMO",
  currency: "USD",
  createdAt: "2026-01-02T09:00:00.000Z",
};
