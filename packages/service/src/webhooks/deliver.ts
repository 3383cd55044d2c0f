import {
  type DeliveryDecision,
  type DueDelivery,
  decideDelivery,
  type LoadedDelivery,
  type WebhookOutcome,
} from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";

type DeliverPorts = Pick<Ports, "webhookDeliveries" | "webhookSender" | "observer" | "tracer">;

/**
 * The result of an attempt. `released`: the attempt was aborted, because the process stops or the endpoint was disabled
 * or deleted. `lost`: another attempt owns the delivery, or its endpoint is disabled or deleted.
 */
type Result = DeliveryDecision["kind"] | "released" | "lost";

/** Makes one leased attempt of a delivery and stores its decision (gap G32). It continues the trace of the change. */
export async function deliverWebhook(
  ports: DeliverPorts,
  due: DueDelivery,
  signal?: AbortSignal,
): Promise<Result> {
  const loaded = await ports.webhookDeliveries.load(due);
  if (!loaded) {
    await ports.webhookDeliveries.release([due]);
    return "lost";
  }
  const attributes = { "cardbridge.attempt": due.attempt };
  const start = { name: "webhooks.attempt", parent: loaded.traceparent, attributes };
  return ports.tracer.run(start, async (span) => {
    const result = await send(ports, due, loaded, signal);
    span.set({ "cardbridge.outcome": result });
    return result;
  });
}

async function send(
  { webhookDeliveries, webhookSender, observer }: DeliverPorts,
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
  // If this fails, the lease expires and the same event is sent again: delivery is at least once.
  const { disabled } = await webhookDeliveries.record(due, { outcome, decision, milliseconds });
  if (disabled) {
    const reason = decision.kind === "gone" ? "gone" : "failing";
    observer.observe("webhook_endpoint_disabled", { reason, platformId: due.platformId });
  }
  return decision.kind;
}

/** A label with few values: the class of the response status, or why there was no response. */
function reasonOf(outcome: WebhookOutcome): string {
  return outcome.kind === "answered" ? `status-${Math.floor(outcome.status / 100)}xx` : outcome.reason;
}
