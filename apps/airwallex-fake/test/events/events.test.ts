import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { cardholder, runFake, until } from "../support/fake.ts";
import { startReceiver } from "../support/receiver.ts";

const secret = "the secret of the webhook";

async function runWith(receiver: { url: string }, automatic = false) {
  const fake = await runFake();
  await fake.admin("PUT", "/webhook", { url: receiver.url, secret, automatic });
  const { body } = await fake.post("issuing/cardholders/create", cardholder());
  return { fake, id: body.cardholder_id as string };
}

function isSigned({ headers, text }: Awaited<ReturnType<typeof startReceiver>>["received"][number]) {
  const hmac = createHmac("sha256", secret).update(`${headers["x-timestamp"]}${text}`);
  return headers["x-signature"] === hmac.digest("hex");
}

test("a status change creates a signed event, which a test can deliver twice and in reverse order", async () => {
  const receiver = await startReceiver();
  const { fake, id } = await runWith(receiver);
  await fake.admin("PUT", `/cardholders/${id}`, { status: "DISABLED" });
  const { body } = await fake.admin("POST", "/deliveries", { reverse: true, copies: 2 });
  expect(body.deliveries.map(({ status }: { status: number }) => status)).toEqual([200, 200, 200, 200]);

  expect(receiver.received.every(isSigned)).toBe(true);
  const events = receiver.received.map(({ text }) => JSON.parse(text));
  const disabled = "issuing.cardholder.disabled";
  const ready = "issuing.cardholder.ready";
  expect(events.map(({ name }) => name)).toEqual([disabled, disabled, ready, ready]);
  expect(new Set(events.map((event) => event.id)).size).toBe(2);
  expect(events[0]).toMatchObject({
    account_id: "acct_fake",
    created_at: "2026-05-12T00:00:00+0000",
    source_id: id,
    data: { cardholder_id: id, status: "DISABLED" },
  });
  // An event contains the state at the time of the change.
  expect(events[2].data.status).toBe("READY");
});

test("automatic deliveries repeat until a 200, with their first timestamp", async () => {
  const receiver = await startReceiver(204, 500);
  const { fake } = await runWith(receiver, true);
  await until(() => {
    fake.clock.now += 1_000;
    return receiver.received.length === 3;
  });
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  expect(receiver.received.every(isSigned)).toBe(true);
  const timestamps = receiver.received.map(({ headers }) => headers["x-timestamp"]);
  expect(new Set(timestamps).size).toBe(1);
});

test("a card's status change creates an event with the state at that time", async () => {
  const receiver = await startReceiver();
  const { fake, id } = await runWith(receiver);
  await fake.admin("POST", "/cards", { cardholder_id: id, card_id: "card-1" });
  await fake.admin("PUT", "/cards/card-1", { card_status: "INACTIVE" });
  await fake.admin("POST", "/deliveries", {});
  const events = receiver.received.map(({ text }) => JSON.parse(text)).slice(1);
  expect(events).toMatchObject([
    { name: "issuing.card.active", data: { card_id: "card-1", card_status: "ACTIVE" } },
    { name: "issuing.card.inactive", data: { card_id: "card-1", card_status: "INACTIVE" } },
  ]);
});
