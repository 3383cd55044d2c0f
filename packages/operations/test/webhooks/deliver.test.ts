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

function answered(status: number): WebhookOutcome {
  return { kind: "answered", status, excerpt: "" };
}

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
    ["delivered", 1, answered(204), "status-2xx"],
    ["retry", 1, answered(500), "status-5xx"],
    ["retry", 1, answered(302), "status-3xx"],
    ["retry", 1, { kind: "undelivered", reason: "deadline" }, "deadline"],
    ["failed", 10, answered(500), "status-5xx"],
    ["gone", 1, answered(410), "status-4xx"],
  ] as const)("is %s, stored and counted: attempt %i with %o", async (result, attempt, outcome, reason) => {
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
