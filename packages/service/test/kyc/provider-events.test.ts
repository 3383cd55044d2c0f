import { expect, it } from "vitest";
import { recordCardUpdate, recordProviderUpdate, requeueRecord } from "../../src/index.ts";
import { fakePorts } from "../support/fake-ports.ts";

const verdict = { outcome: "answered", subStatus: "approved", cardAccountId: null, revision: 1 } as const;
const reference = { reference: "kyc_1", userReference: "usr_1" };
const step = { step: "create", id: "holder_1" };
const cardEvent = {
  eventId: "evt_1",
  card: { cardId: "card_1", externalUserId: "usr_1", status: "active" },
};

type Ports = ReturnType<typeof fakePorts>["ports"];

/** An event of each kind about something that the database does not know, and what a restore has to explain. */
const events: { name: string; about: string | undefined; run: (ports: Ports) => Promise<void> }[] = [
  {
    name: "a decision",
    about: "kyc_1",
    run: (ports) => recordProviderUpdate(ports, { ...reference, verdict }),
  },
  { name: "a notice about a record", about: "kyc_1", run: (ports) => requeueRecord(ports, reference) },
  { name: "a notice about a step", about: undefined, run: (ports) => requeueRecord(ports, step) },
  { name: "a card", about: "usr_1", run: (ports) => recordCardUpdate(ports, cardEvent) },
];

it.each(events)("$name counts as mixed up, unless a restore explains it", async ({ about, run }) => {
  const asked: unknown[] = [];
  for (const explained of [false, true]) {
    const { ports, observed } = fakePorts();
    const explains = async (id: string | undefined) => {
      asked.push(id);
      return explained;
    };
    await expect(run({ ...ports, restores: { ...ports.restores, explains } })).rejects.toMatchObject({
      code: expect.stringMatching(/_NOT_FOUND$/),
    });
    expect(observed).toEqual([
      explained
        ? ["restored_record_unknown", { operation: "event" }]
        : ["provider_answer_mismatched", { operation: "event", reason: "mismatched" }],
    ]);
  }
  expect(asked).toEqual([about, about]);
});

it("a card event is forwarded under its id", async () => {
  const { ports } = fakePorts();
  const forwarded: unknown[] = [];
  ports.webhookDeliveries.cardUpdated = async (...event) => forwarded.push(event) > 0;
  await recordCardUpdate(ports, cardEvent);
  expect(forwarded).toEqual([[cardEvent.card, "evt_1"]]);
});
