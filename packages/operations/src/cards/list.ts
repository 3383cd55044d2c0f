import {
  cardListQuery,
  cardPage,
  exactlyOneIdentifier,
  Failure,
  toIdentifier,
  toPage,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Lists a user's cards (interface, section 4.1). */
export const listCards = defineOperation({
  ...forPlatforms,
  id: "cards.list",
  kind: "query",
  summary: "List a user's cards",
  description:
    "Lists the payment cards of one user, newest first. Send exactly one of email and memberId. " +
    "The list is empty if the card provider does not know the user. A page past the end is empty.",
  documented: true,
  scopes: ["cards:read"],
  input: cardListQuery,
  rules: [exactlyOneIdentifier],
  output: cardPage,
  example: {
    input: { memberId: "alice", status: "active" },
    output: {
      items: [
        {
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
        },
      ],
      page: 1,
      pageSize: 20,
      total: 1,
      totalPages: 1,
    },
  },
  errors: ["USER_NOT_FOUND", "PROVIDER_TIMEOUT", "PROVIDER_UNAVAILABLE", "PROVIDER_ANSWER_INVALID"],
  audit: [],

  async run({ users, provider, providerShares }, call, input) {
    const user = await users.find(call.platformId, toIdentifier(input));
    if (!user) throw new Failure("USER_NOT_FOUND");
    const { status, page, pageSize } = input;
    const request = { userReference: user.externalUserId, status, page, pageSize };
    const cards = await providerShares.run(call.platformId, () => provider.listCards(request, call.signal));
    return { data: toPage(cards, request) };
  },
});
