import type { OwnedCard } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { exampleCard } from "../../src/cards/example.ts";
import { getCard } from "../../src/cards/get.ts";
import { callOf, codeOf, rulesOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Gets a card that the provider finds or not, on the platform plt_1 with the user usr_1. */
function get(found: OwnedCard | null, cardId = exampleCard.cardId) {
  const asked: unknown[] = [];
  const { ports } = fakePorts();
  ports.provider.findCard = async (id) => {
    asked.push(id);
    return found;
  };
  ports.users.has = async (platformId, userId) => {
    asked.push([platformId, userId]);
    return platformId === "plt_1" && userId === "usr_1";
  };
  const call = callOf("platform", { platformId: "plt_1", scopes: ["cards:read"] });
  return { asked, result: getCard.execute(ports, call, { cardId }) };
}

it("returns a card whose owner is a user of the platform", async () => {
  const { result } = get({ userReference: "usr_1", card: exampleCard });
  expect(await result).toEqual({ data: exampleCard });
});

it.each([
  { name: "an unknown card", found: null },
  { name: "another platform's card", found: { userReference: "usr_2", card: exampleCard } },
])("returns CARD_NOT_FOUND for $name after the same queries", async ({ found }) => {
  const { asked, result } = get(found);
  expect(await codeOf(result)).toBe("CARD_NOT_FOUND");
  expect(asked).toHaveLength(2);
});

it.each(["4242424242424242", "card_4242-4242-4242-4242", ".", "..", "a/b", "a b", "é", "a\n", ""])(
  "never sends %j to the provider",
  async (cardId) => {
    const { asked, result } = get(null, cardId);
    expect(await rulesOf(result)).toEqual(["card-id"]);
    expect(asked).toEqual([]);
  },
);
