import { describe, expect, test } from "vitest";
import { runWithReceiver, secret } from "../support/receiver.ts";
import {
  card,
  outcomes,
  runSandbox,
  submitAndDisconnect,
  until,
  untilDelivered,
} from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

describe("an event", () => {
  test("is sent for each decision when it is due, with the body of a GET", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    const first = await sandbox.submit("kyc_1", submission());
    await untilDelivered(sandbox, 1);
    expect(receiver.deliveries[0]?.body).toEqual({ type: "kyc.updated", data: first.body });

    sandbox.clock.advance(4_999);
    expect(sandbox.clock.msToNextTimer()).toBe(1);
    sandbox.clock.advance(1);
    await untilDelivered(sandbox, 2);
    const second = await sandbox.get("kyc_1");
    expect(receiver.deliveries[1]?.body).toEqual({ type: "kyc.updated", data: second.body });
    expect(receiver.statuses()).toEqual(["pending_approval 1", "approved 2"]);
    expect(sandbox.clock.timerCount()).toBe(0);
  });

  // The event reader of the provider's package verifies the signature.
  test("has a new signature for each attempt and the same id", async () => {
    const { receiver, sandbox } = await runWithReceiver((count) => (count === 1 ? 500 : 200));
    await sandbox.submit("kyc_1", submission("rejected"));
    await until(() => sandbox.clock.msToNextTimer() === 500);
    sandbox.clock.advance(7_000);
    await untilDelivered(sandbox, 1);
    const sent = (name: string) => receiver.deliveries.map(({ headers }) => headers[name]);
    expect(sent("webhook-timestamp")).toEqual(["1769860800", "1769860807"]);
    expect(new Set(sent("webhook-signature")).size).toBe(2);
    expect(new Set(receiver.ids()).size).toBe(1);
  });

  test("needs a target with a valid URL and a valid secret", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    expect(sandbox.clock.timerCount()).toBe(0);
    await expect(runSandbox({ events: { url: "nonsense", secret } })).rejects.toThrow();
    await expect(runSandbox({ events: { url: "http://127.0.0.1", secret: "no base64!" } })).rejects.toThrow();
  });
});

describe("the event of a card", () => {
  test("is sent when its status changes, and continues after a restart", async () => {
    const { receiver, sandbox } = await runWithReceiver((count) => (count === 1 ? 500 : 204));
    await sandbox.putCards([card("card_1", null), card("card_2", null)]);
    await sandbox.putCards([card("card_1", null, { last4: "1234" })]);
    expect(receiver.deliveries).toEqual([]);
    await sandbox.putCards([card("card_1", null, { status: "locked" }), card("card_2", null)]);
    await until(() => sandbox.clock.msToNextTimer() === 500);
    await sandbox.close();

    const options = { events: receiver.events, dataFolder: sandbox.dataFolder };
    const again = await runSandbox(options, sandbox.clock);
    await untilDelivered(again, 1);
    await again.putCards([card("card_1", null, { status: "active" })]);
    await untilDelivered(again, 2);
    const data = { cardId: "card_1", userReference: "usr_1" };
    expect(receiver.deliveries.map(({ body }) => body)).toEqual([
      { type: "card.updated", data: { ...data, status: "locked" } },
      { type: "card.updated", data: { ...data, status: "locked" } },
      { type: "card.updated", data: { ...data, status: "active" } },
    ]);
    const [first, repeated, second] = receiver.ids();
    expect(first).toMatch(/^evt_[0-9a-f]{24}$/);
    expect(repeated).toBe(first);
    expect(second).not.toBe(first);
  });
});

describe("the events of a scenario", () => {
  test("duplicate: each event is sent twice", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    await sandbox.submit("kyc_1", submission("duplicate"));
    await untilDelivered(sandbox, 1);
    sandbox.clock.advance(5_000);
    await untilDelivered(sandbox, 2);
    const twice = ["pending_approval 1", "approved 2"].flatMap((status) => [status, status]);
    expect(receiver.statuses()).toEqual(twice);
    const [first, second, third, fourth] = receiver.ids();
    expect([second, fourth]).toEqual([first, third]);
  });

  test("reorder: the later event is sent first", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    await sandbox.submit("kyc_1", submission("reorder"));
    await until(() => sandbox.clock.timerCount() === 1);
    sandbox.clock.advance(4_999);
    expect(sandbox.clock.msToNextTimer()).toBe(1);
    sandbox.clock.advance(1);
    await untilDelivered(sandbox, 2);
    expect(receiver.statuses()).toEqual(["approved 2", "pending_approval 1"]);
  });

  test("revoked: approved immediately, rejected after 3 s, and the card stays", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    expect((await sandbox.submit("kyc_1", submission("revoked"))).body).toMatchObject({
      status: "approved",
      cardAccountId: expect.any(String),
      revision: 1,
    });
    await untilDelivered(sandbox, 1);
    sandbox.clock.advance(3_000);
    await untilDelivered(sandbox, 2);
    expect(receiver.statuses()).toEqual(["approved 1", "rejected 2"]);
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "rejected", revision: 2 });
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(1);
  });

  test("mismatched: events contain another reference and another user, as the responses do", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    const { body } = await sandbox.submit("kyc_1", submission("mismatched"));
    await untilDelivered(sandbox, 1);
    expect(receiver.deliveries[0]?.body.data).toEqual(body);
  });

  test.each([
    { tag: "slow", eventsBefore: 0 },
    { tag: "timeout-after-effect", eventsBefore: 1 },
  ])("$tag: $eventsBefore events are sent before the end of the request", async ({ tag, eventsBefore }) => {
    const { receiver, sandbox } = await runWithReceiver(undefined, { slowMs: 600_000 });
    const client = new AbortController();
    const response = sandbox.submit("kyc_1", submission(tag), client.signal).catch(() => "disconnected");
    await until(async () => (await outcomes(sandbox, "kyc_1")).length > 0);
    await until(() => receiver.deliveries.length === eventsBefore);
    if (eventsBefore === 0) expect(sandbox.clock.timerCount()).toBe(0);
    client.abort();
    expect(await response).toBe("disconnected");
    await untilDelivered(sandbox, 1);
  });

  test("each executed submission has one event, and other submissions have none", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    await sandbox.submit("kyc_1", submission("refused"));
    await sandbox.submit("kyc_2", submission("error-500"));
    await submitAndDisconnect(sandbox, "kyc_3", submission("timeout-before-effect"));
    expect(sandbox.clock.timerCount()).toBe(0);

    await sandbox.submit("kyc_2", submission("error-500"));
    await sandbox.submit("kyc_2", submission("error-500"));
    await sandbox.submit("kyc_4", submission("garbage"));
    await sandbox.submit("kyc_4", submission("garbage"));
    await untilDelivered(sandbox, 2);
    expect(receiver.deliveries.map(({ body }) => body.data.reference).sort()).toEqual(["kyc_2", "kyc_4"]);
  });
});
