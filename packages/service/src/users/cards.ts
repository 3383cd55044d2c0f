import { cardPage, Failure, toPage, userCardsQuery } from "@cardbridge/domain";
import { exampleCard } from "../cards/example.ts";
import { forOperators } from "../operation/actors.ts";
import { holderOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference } from "./user.ts";

/** Lists a user's cards by externalUserId. */
export const listUserCards = defineOperation({
  ...forOperators("ops.users.read"),
  id: "users.cards",
  kind: "read",
  summary: "List a user's cards by externalUserId",
  description:
    "Lists the cards that the platform sees with cards.list, for callers who know only the externalUserId.",
  input: userCardsQuery,
  rules: [],
  output: cardPage,
  example: {
    input: exampleUserReference,
    output: { items: [exampleCard], page: 1, pageSize: 20, total: 1, totalPages: 1 },
  },
  errors: [
    "PLATFORM_NOT_FOUND",
    "USER_NOT_FOUND",
    "CARD_LIST_TOO_LONG",
    "PROVIDER_TIMEOUT",
    "PROVIDER_UNAVAILABLE",
    "PROVIDER_PAUSED",
    "PROVIDER_ANSWER_INVALID",
  ],
  audit: ["done"],

  async run({ users, provider, providerSlots }, call, { platformId, externalUserId, page, pageSize }) {
    if (!(await users.has(platformId, externalUserId))) throw new Failure("USER_NOT_FOUND");
    const request = { userReference: externalUserId, status: undefined, page, pageSize };
    const cards = await providerSlots.run(holderOf(call), () => {
      call.slot?.release();
      return provider.listCards(request, call.signal);
    });
    return { data: toPage(cards, request), subject: externalUserId };
  },
});
