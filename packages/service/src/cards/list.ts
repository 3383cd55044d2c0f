import {
  cardListQuery,
  cardPage,
  exactlyOneIdentifier,
  Failure,
  toIdentifier,
  toPage,
} from "@cardbridge/domain";
import { forPlatforms } from "../operation/actors.ts";
import { holderOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleCard } from "./example.ts";

/** Lists a user's cards (interface, section 4.1). */
export const listCards = defineOperation({
  ...forPlatforms,
  id: "cards.list",
  kind: "read",
  rest: { method: "get", path: "/cards/list", tag: "Cards" },
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
      items: [exampleCard],
      page: 1,
      pageSize: 20,
      total: 1,
      totalPages: 1,
    },
  },
  errors: [
    "USER_NOT_FOUND",
    "CARD_LIST_TOO_LONG",
    "PROVIDER_TIMEOUT",
    "PROVIDER_UNAVAILABLE",
    "PROVIDER_PAUSED",
    "PROVIDER_ANSWER_INVALID",
  ],
  audit: [],

  async run({ users, provider, providerSlots }, call, input) {
    const user = await users.find(call.platformId, toIdentifier(input));
    if (!user) throw new Failure("USER_NOT_FOUND");
    const { status, page, pageSize } = input;
    const request = { userReference: user.externalUserId, status, page, pageSize };
    const cards = await providerSlots.run(holderOf(call), () => {
      call.slot?.release();
      return provider.listCards(request, call.signal);
    });
    return { data: toPage(cards, request) };
  },
});
