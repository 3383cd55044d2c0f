import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClock } from "../support/clock.ts";
import { runWithReceiver, startReceiver } from "../support/receiver.ts";
import { runSandbox, until, untilDelivered } from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

describe("an event that is not accepted", () => {
  test("is sent again with growing delays until a 2xx, and follows no redirect", async () => {
    const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => errors.mockRestore());
    const statuses = [500, 503, 302, 400, 404, 410, 429, 500];
    const { receiver, sandbox } = await runWithReceiver((count) => statuses[count - 1] ?? 202);
    await sandbox.submit("kyc_1", submission("rejected"));
    for (const delayMs of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      await until(() => sandbox.clock.msToNextTimer() === delayMs);
      sandbox.clock.advance(delayMs - 1);
      expect(sandbox.clock.msToNextTimer()).toBe(1);
      sandbox.clock.advance(1);
    }
    await untilDelivered(sandbox, 1);
    expect(receiver.deliveries).toHaveLength(9);
    expect(sandbox.clock.timerCount()).toBe(0);
    expect(errors.mock.calls).toEqual([[expect.stringContaining("event_not_delivered")]]);
  });

  test("is sent again when no response comes within 5 s", async () => {
    const { receiver, sandbox } = await runWithReceiver((count) => (count === 1 ? undefined : 204));
    await sandbox.submit("kyc_1", submission("rejected"));
    await until(() => receiver.deliveries.length === 1);
    sandbox.clock.advance(4_999);
    expect(sandbox.clock.msToNextTimer()).toBe(1);
    sandbox.clock.advance(1);
    await until(() => sandbox.clock.msToNextTimer() === 500);
    sandbox.clock.advance(500);
    await untilDelivered(sandbox, 1);
    expect(receiver.deliveries).toHaveLength(2);
  });

  test("delays the later events of its submission and no others", async () => {
    const { receiver, sandbox } = await runWithReceiver((count) => (count === 1 ? 500 : 204));
    await sandbox.submit("kyc_1", submission());
    await until(() => sandbox.clock.msToNextTimer() === 500);
    await sandbox.submit("kyc_2", submission("rejected"));
    await untilDelivered(sandbox, 1);
    sandbox.clock.advance(60_000);
    await untilDelivered(sandbox, 3);
    const again = ["pending_approval 1", "approved 2"];
    expect(receiver.statuses()).toEqual(["pending_approval 1", "rejected 1", ...again]);
  });

  test("is one of at most eight concurrent deliveries", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<number>();
    const { receiver, sandbox } = await runWithReceiver(() => released);
    const references = Array.from({ length: 20 }, (_, index) => `kyc_${index}`);
    await Promise.all(references.map((reference) => sandbox.submit(reference, submission("rejected"))));
    await until(() => receiver.deliveries.length === 8);
    expect(sandbox.clock.timerCount()).toBe(8);

    release(204);
    await untilDelivered(sandbox, 20);
    expect(new Set(receiver.ids()).size).toBe(20);
  });

  test("does not block close, and the next sandbox sends it", async () => {
    const hanging = await startReceiver(() => undefined);
    const before = await runSandbox({ events: hanging.events });
    await before.submit("kyc_1", submission("duplicate"));
    await until(() => hanging.deliveries.length === 1);
    await before.close();
    expect(before.clock.timerCount()).toBe(0);

    const receiver = await startReceiver();
    const after = await runSandbox({ dataFolder: before.dataFolder, events: receiver.events });
    await untilDelivered(after, 1);
    expect(receiver.ids()).toEqual([...hanging.ids(), ...hanging.ids()]);
  });
});

describe("events after a restart", () => {
  test("only undelivered events are sent", async () => {
    const receiver = await startReceiver();
    const clock = createClock();
    const first = await runSandbox({ events: receiver.events }, clock);
    const { dataFolder } = first;
    await first.submit("kyc_1", submission());
    await first.submit("kyc_2", submission("pending"));
    await untilDelivered(first, 2);
    await first.close();
    expect(clock.timerCount()).toBe(0);

    clock.advance(60_000);
    const second = await runSandbox({ dataFolder, events: receiver.events }, clock);
    await untilDelivered(second, 3);
    await second.close();

    await runSandbox({ dataFolder, events: receiver.events }, clock);
    expect(clock.timerCount()).toBe(0);
    expect(receiver.statuses().slice(0, 2).sort()).toEqual(["pending_approval 1", "pending_approval 1"]);
    expect(receiver.statuses().slice(2)).toEqual(["approved 2"]);
  });
});
