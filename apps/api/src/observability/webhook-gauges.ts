import type { DeliveryCount } from "@cardbridge/domain";
import { Gauge, type Registry } from "prom-client";

/** The gauges of webhooks. A scrape sets them; without a count they are NaN. */
export function webhookGauges(registry: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const pending = gauge(
    "cardbridge_webhook_deliveries_pending",
    "Deliveries of webhooks that are not finished.",
  );
  const oldest = gauge(
    "cardbridge_webhook_deliveries_oldest_seconds",
    "For how long the oldest due delivery of a webhook has been due; 0 without one.",
  );
  const disabled = gauge(
    "cardbridge_webhook_endpoints_disabled",
    "Webhook endpoints that receive no events.",
  );
  return {
    set(count: DeliveryCount | undefined) {
      pending.set(count?.pending ?? Number.NaN);
      oldest.set(count?.oldestSeconds ?? Number.NaN);
      disabled.set(count?.disabledEndpoints ?? Number.NaN);
    },
  };
}
