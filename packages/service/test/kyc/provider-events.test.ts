import { expect, it, onTestFinished } from "vitest";
import { recordCardUpdate, recordProviderUpdate, requeueRecord } from "../../src/index.ts";
import type { fakePorts } from "../support/fake-ports.ts";
import { makeWorld, type World } from "../support/world.ts";

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
  const world = await makeWorld({ until: onTestFinished });
  async function observedBy() {
    const observed: unknown[] = [];
    const observer = { observe: (...event: unknown[]) => void observed.push(event) };
    await expect(run({ ...world.ports, observer })).rejects.toMatchObject({
      code: expect.stringMatching(/_NOT_FOUND$/),
    });
    return observed;
  }
  await listed(world, "another", "user");
  expect(await observedBy()).toEqual([
    ["provider_answer_mismatched", { operation: "event", reason: "mismatched" }],
  ]);
  // Only a restore whose lost executions are unknown explains an event that names nothing.
  if (about === undefined)
    await world.admin("insert into restores (checked_at, listed) values (now(), false)");
  else await listed(world, about, about);
  expect(await observedBy()).toEqual([["restored_record_unknown", { operation: "event" }]]);
});

/** Stores that the provider listed an execution which the database forgot. */
const listed = ({ admin }: World, reference: string, userReference: string) =>
  admin("insert into restored_executions (reference, user_reference) values ($1, $2)", [
    reference,
    userReference,
  ]);
