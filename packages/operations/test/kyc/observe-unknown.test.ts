import { expect, it } from "vitest";
import { recordCardUpdate, recordProviderUpdate, requeueRecord } from "../../src/index.ts";
import { fakePorts } from "../support/fake-ports.ts";

const verdict = { outcome: "answered", subStatus: "approved", cardAccountId: null, revision: 1 } as const;
const reference = { reference: "kyc_1", userReference: "usr_1" };
const card = { cardId: "card_1", externalUserId: "usr_1", status: "active" };

type Ports = ReturnType<typeof fakePorts>["ports"];

/** An event of each kind about something that the database does not know, and what a restore has to explain. */
const events: [string, string | undefined, (ports: Ports) => Promise<void>][] = [
  ["a decision", "kyc_1", (ports) => recordProviderUpdate(ports, { ...reference, verdict })],
  ["a notice about a record", "kyc_1", (ports) => requeueRecord(ports, reference)],
  ["a notice about a step", undefined, (ports) => requeueRecord(ports, { step: "cardholder", id: "x" })],
  ["a card", "usr_1", (ports) => recordCardUpdate(ports, { eventId: "evt_1", card })],
];

it.each(events)("%s counts as mixed up, unless a restore explains it", async (_, id, run) => {
  const asked: unknown[] = [];
  for (const explained of [false, true]) {
    const { ports, observed } = fakePorts();
    const explains = async (about: string | undefined) => {
      asked.push(about);
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
  expect(asked).toEqual([id, id]);
});
