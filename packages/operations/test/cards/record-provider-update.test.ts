import { expect, it } from "vitest";
import { recordCardUpdate } from "../../src/cards/record-provider-update.ts";
import { fakePorts } from "../support/fake-ports.ts";

const card = { cardId: "card_1", externalUserId: "usr_1", status: "locked" };

it("forwards the provider's event under its id", async () => {
  const repeated: unknown[] = [];
  const { ports } = fakePorts();
  const webhookDeliveries = {
    ...ports.webhookDeliveries,
    cardUpdated: async (...given: unknown[]) => {
      repeated.push(given);
      return true;
    },
  };
  const input = { eventId: "evt_1", card };
  await recordCardUpdate({ ...ports, webhookDeliveries }, input);
  expect(repeated).toEqual([[card, "evt_1"]]);
});

it("rejects and counts an event about an unknown user", async () => {
  const { ports, observed } = fakePorts();
  const input = { eventId: "evt_1", card };
  await expect(recordCardUpdate(ports, input)).rejects.toMatchObject({
    code: "USER_NOT_FOUND",
  });
  expect(observed).toContainEqual([
    "provider_answer_mismatched",
    { operation: "event", reason: "mismatched" },
  ]);
});
