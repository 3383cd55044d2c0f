import type { DueDelivery, LoadedDelivery, RecordedAttempt, WebhookOutcome } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { deliverWebhook } from "../../src/webhooks/deliver.ts";
import { fakePorts } from "../support/fake-ports.ts";

const due: DueDelivery = {
  platformId: "plt_1",
  deliveryId: "whd_1",
  endpointId: "whe_1",
  lease: 3,
  attempt: 1,
};
const loaded: LoadedDelivery = {
  webhookId: "msg_1",
  url: "https://hooks.example.com/",
  secrets: ["whsec_b", "whsec_a"],
  payload: {
    type: "webhook.test",
    environment: "test",
    timestamp: "2026-01-31T12:00:00.000Z",
    data: { endpointId: "whe_1" },
  },
};

const answered = (status: number): WebhookOutcome => ({ kind: "answered", status, excerpt: "" });
const undelivered: WebhookOutcome = { kind: "undelivered", reason: "deadline" };

/** Ports with one leased delivery whose endpoint has this outcome. Collects the sent and stored attempts. */
function leased(outcome: WebhookOutcome, { disabled = false } = {}) {
  const { ports, observed } = fakePorts();
  const sent: LoadedDelivery[] = [];
  const recorded: RecordedAttempt[] = [];
  const released: DueDelivery[] = [];
  ports.webhookSender.send = async (delivery) => {
    sent.push(delivery);
    return { outcome, milliseconds: 7 };
  };
  Object.assign(ports.webhookDeliveries, {
    load: async () => loaded,
    record: async (_due: DueDelivery, attempt: RecordedAttempt) => {
      recorded.push(attempt);
      return { disabled };
    },
    release: async (some: readonly DueDelivery[]) => void released.push(...some),
  });
  return { ports, sent, recorded, released, observed };
}

const run = ({ ports }: ReturnType<typeof leased>, input = due) => deliverWebhook(ports, input);

describe("an attempt", () => {
  it.each([
    { result: "delivered", attempt: 1, outcome: answered(204), reason: "status-2xx" },
    { result: "retry", attempt: 1, outcome: answered(500), reason: "status-5xx" },
    { result: "retry", attempt: 1, outcome: answered(302), reason: "status-3xx" },
    { result: "retry", attempt: 1, outcome: undelivered, reason: "deadline" },
    { result: "failed", attempt: 10, outcome: answered(500), reason: "status-5xx" },
    { result: "gone", attempt: 1, outcome: answered(410), reason: "status-4xx" },
  ])("is $result, stored and counted: attempt $attempt, $reason", async (example) => {
    const { result, attempt, outcome, reason } = example;
    const world = leased(outcome);
    expect(await run(world, { ...due, attempt })).toBe(result);
    expect(world.sent).toEqual([loaded]);
    expect(world.recorded).toEqual([
      { outcome, milliseconds: 7, decision: expect.objectContaining({ kind: result }) },
    ]);
    expect(world.observed).toEqual([["webhook_attempt", { outcome: result, reason }]]);
  });

  it("is counted with its reason if it disables the endpoint", async () => {
    const world = leased(answered(410), { disabled: true });
    await run(world);
    expect(world.observed).toContainEqual([
      "webhook_endpoint_disabled",
      { reason: "gone", platformId: "plt_1" },
    ]);
  });

  it("sends nothing if it no longer owns the delivery", async () => {
    const world = leased(answered(200));
    world.ports.webhookDeliveries.load = async () => null;
    expect(await run(world)).toBe("lost");
    expect([world.sent, world.recorded, world.released]).toEqual([[], [], [due]]);
  });

  it("is released and not counted if it is aborted", async () => {
    const world = leased({ kind: "undelivered", reason: "stopped" });
    expect(await run(world)).toBe("released");
    expect([world.released, world.recorded, world.observed]).toEqual([[due], [], []]);
  });
});
