import { expect, it } from "vitest";
import { recordCardUpdate } from "../../src/cards/record-provider-update.ts";
import { fakePorts } from "../support/fake-ports.ts";

const card = { cardId: "card_1", externalUserId: "usr_1", status: "locked" };

it("repeats the provider's event under the id of that event", async () => {
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

it("refuses and counts an event about a user whom nobody has", async () => {
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
