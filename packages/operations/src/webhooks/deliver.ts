import {
  type DueDelivery,
  decideDelivery,
  type LoadedDelivery,
  type WebhookOutcome,
} from "@cardbridge/domain";
import * as z from "zod";
import { forWorker } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { dueDelivery } from "./due-delivery.ts";

const results = ["delivered", "retry", "failed", "gone", "released", "lost"] as const;

/** Makes one leased attempt of a delivery, and records what follows (gap G32). */
export const deliverWebhook = defineOperation({
  ...forWorker,
  id: "webhooks.deliver",
  kind: "mutation",
  summary: "Make one attempt of a delivery",
  description:
    "Makes the leased attempt and records what follows. released: the process stops, and another one attempts it. " +
    "lost: another attempt owns the delivery, or its endpoint no longer takes any.",
  input: dueDelivery,
  output: z.object({ result: z.enum(results) }),
  example: {
    input: {
      platformId: "plt_01jexample0000000000000000",
      deliveryId: "whd_01jexample0000000000000000",
      endpointId: "whe_01jexample0000000000000000",
      lease: 1,
      attempt: 1,
      lane: "prompt",
    },
    output: { result: "delivered" },
  },

  async run(ports, { signal }, due) {
    return { data: { result: await attempt(ports, due, signal) } };
  },
});

type Result = (typeof results)[number];

/** Makes the attempt in the trace of the change that it reports. */
async function attempt(ports: Ports, due: DueDelivery, signal: AbortSignal | undefined): Promise<Result> {
  const loaded = await ports.webhookDeliveries.load(due);
  if (!loaded) return "lost";
  const attributes = { "cardbridge.attempt": due.attempt };
  const start = { name: "webhooks.attempt", parent: loaded.traceparent, attributes };
  return ports.tracer.run(start, async (span) => {
    const result = await send(ports, due, loaded, signal);
    span.set({ "cardbridge.outcome": result });
    return result;
  });
}

async function send(
  { webhookDeliveries, webhookSender, observer }: Ports,
  due: DueDelivery,
  loaded: LoadedDelivery,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { outcome, milliseconds } = await webhookSender.send(loaded, signal);
  if (outcome.kind === "undelivered" && outcome.reason === "stopped") {
    await webhookDeliveries.release([due]);
    return "released";
  }
  const decision = decideDelivery(due.attempt, outcome);
  observer.observe("webhook_attempt", { outcome: decision.kind, reason: reasonOf(outcome) });
  // If this fails, the lease expires and the same event is sent again: at least once.
  const { disabled } = await webhookDeliveries.record(due, { outcome, decision, milliseconds });
  if (disabled) {
    const reason = decision.kind === "gone" ? "gone" : "failing";
    observer.observe("webhook_endpoint_disabled", { reason, platformId: due.platformId });
  }
  return decision.kind;
}

/** One word of few values: the class of the answer's status, or why there was none. */
function reasonOf(outcome: WebhookOutcome): string {
  return outcome.kind === "answered" ? `status-${Math.floor(outcome.status / 100)}xx` : outcome.reason;
}
