import { type DeliveryCount, type DeliveryDecision, undeliveredReasons } from "@cardbridge/domain";
import { type EventMetric, everyCombination, one, other, type ReadMetric } from "./declaration.ts";

const decisions: DeliveryDecision["kind"][] = ["delivered", "retry", "failed", "gone"];
const statuses = ["1", "2", "3", "4", "5"].map((first) => `status-${first}xx`);

export const webhookMetrics = {
  webhook_attempt: {
    name: "cardbridge_webhook_attempts_total",
    help: "Attempts of webhooks by what follows, and by the class of the answer's status or why there was no answer.",
    series: everyCombination({ outcome: decisions, reason: [...statuses, ...undeliveredReasons, other] }),
  },
  webhook_endpoint_disabled: {
    name: "cardbridge_webhook_endpoints_disabled_total",
    help: "Webhook endpoints that the service disabled: gone answered 410, and failing failed for days.",
    series: everyCombination({ reason: ["gone", "failing"] }),
  },
} satisfies Record<string, EventMetric>;

/** The deliveries of webhooks of all platforms that wait. */
export function pendingWebhooks(read: () => Promise<DeliveryCount | undefined>): ReadMetric[] {
  const gauge = (name: string, help: string, select: (count: DeliveryCount) => number): ReadMetric => ({
    ...{ type: "gauge", name, help, series: one },
    read: async () => {
      const count = await read();
      return count && [{ value: select(count) }];
    },
  });
  return [
    gauge(
      "cardbridge_webhook_deliveries_pending",
      "Deliveries of webhooks that are not finished, also those that wait for their next attempt.",
      ({ pending }) => pending,
    ),
    gauge(
      "cardbridge_webhook_deliveries_oldest_seconds",
      "For how long the oldest due delivery of a webhook has been due; 0 without one.",
      ({ oldestSeconds }) => oldestSeconds,
    ),
    gauge(
      "cardbridge_webhook_endpoints_disabled",
      "Webhook endpoints that receive no events now.",
      ({ disabledEndpoints }) => disabledEndpoints,
    ),
  ];
}
