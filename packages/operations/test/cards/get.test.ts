import type { OwnedCard } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { exampleCard } from "../../src/cards/example.ts";
import { getCard } from "../../src/cards/get.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const call = callOf("platform", { platformId: "plt_1", scopes: ["cards:read"] });
const { cardId } = exampleCard;

/** The platform plt_1 has the user usr_1. */
function world(found: OwnedCard | null) {
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
  return { ports, asked };
}

it("returns a card whose owner is a user of the platform", async () => {
  const { ports } = world({ userReference: "usr_1", card: exampleCard });
  expect(await getCard.execute(ports, call, { cardId })).toEqual({ data: exampleCard });
});

it.each([
  ["unknown card", null],
  ["other platform's card", { userReference: "usr_2", card: exampleCard }],
])("returns CARD_NOT_FOUND for an %s after the same queries", async (_, found) => {
  const { ports, asked } = world(found);
  await expect(getCard.execute(ports, call, { cardId })).rejects.toMatchObject({
    code: "CARD_NOT_FOUND",
    details: {},
  });
  expect(asked).toHaveLength(2);
});

it.each(["4242424242424242", "card_4242-4242-4242-4242", ".", "..", "a/b", "a b", "é", "a\n", ""])(
  "never sends %j to the provider",
  async (id) => {
    const { ports, asked } = world(null);
    await expect(getCard.execute(ports, call, { cardId: id })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { violations: [{ path: ["cardId"], rule: "card-id" }] },
    });
    expect(asked).toEqual([]);
  },
);
