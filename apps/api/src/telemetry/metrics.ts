import { type DeliveryCount, type Observer, type RecordCount, resolutions } from "@cardbridge/domain";
import type { Operations, pendingAudit } from "@cardbridge/service";
import { Hono } from "hono";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { ServedRoute } from "./call-series.ts";
import { createEventMetrics } from "./event-metrics.ts";
import { addProcessMetrics, type ProcessState } from "./process-metrics.ts";
import { readOnce } from "./read-once.ts";
import { everyCombination } from "./series.ts";

const recordStates = everyCombination({ resolution: resolutions, needs_attention: ["false", "true"] });

export interface Metrics extends Observer {
  /** Serves `GET /metrics` in the Prometheus text format. */
  app: Hono;
}

export interface MetricsOptions extends WaitingWork, ProcessState {
  operations: Operations;
  /** Every route of the app; none in a process that serves no callers. */
  routes: readonly ServedRoute[];
}

/**
 * Creates every metric of the service. Label values come from fixed lists, so no metric contains personal data or ids.
 */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addProcessMetrics(registry, options);
  addWaitingWork(registry, options);
  const { observe } = createEventMetrics(registry, options);
  const app = new Hono();
  app.get("/metrics", async (c) =>
    c.text(await registry.metrics(), 200, { "content-type": registry.contentType }),
  );
  return { app, observe };
}

interface WaitingWork {
  /** The waiting records of all platforms. */
  waiting(): Promise<RecordCount[]>;
  /** The pending deliveries of webhooks of all platforms. */
  deliveries(): Promise<DeliveryCount>;
  /** The platforms with pending audit entries. */
  pending(): ReturnType<typeof pendingAudit>;
}

/** Adds the gauges of work that waits in the database, for all platforms. They are NaN while it cannot be read. */
function addWaitingWork(registry: Registry, work: WaitingWork): void {
  const registers = [registry];
  const records = readOnce(work.waiting);
  const deliveries = readOnce(work.deliveries);
  const pending = readOnce(work.pending);

  function recordGauge(name: string, help: string, select: (count: RecordCount) => number) {
    new Gauge({
      name,
      help,
      labelNames: ["resolution", "needs_attention"],
      registers,
      async collect() {
        const counts = await records();
        for (const state of recordStates) this.set(state, counts ? 0 : Number.NaN);
        for (const count of counts ?? []) {
          this.set(
            { resolution: count.resolution, needs_attention: String(count.needsAttention) },
            select(count),
          );
        }
      },
    });
  }

  function deliveryGauge(name: string, help: string, select: (count: DeliveryCount) => number) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const count = await deliveries();
        this.set(count ? select(count) : Number.NaN);
      },
    });
  }

  recordGauge(
    "cardbridge_kyc_records_waiting",
    "KYC records that wait: unresolved, in need of attention, or in review.",
    ({ count }) => count,
  );
  recordGauge(
    "cardbridge_kyc_records_waiting_oldest_seconds",
    "The age of the oldest waiting KYC record, since its submission.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  deliveryGauge(
    "cardbridge_webhook_deliveries_pending",
    "Deliveries of webhooks that are not finished, also those that wait for their next attempt.",
    ({ pending }) => pending,
  );
  deliveryGauge(
    "cardbridge_webhook_deliveries_oldest_seconds",
    "For how long the oldest due delivery of a webhook has been due; 0 without one.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  deliveryGauge(
    "cardbridge_webhook_endpoints_disabled",
    "Webhook endpoints that receive no events now.",
    ({ disabledEndpoints }) => disabledEndpoints,
  );
  new Gauge({
    name: "cardbridge_audit_pending_oldest_seconds",
    help: "The age of the oldest pending audit entry; 0 without one.",
    registers,
    async collect() {
      const platforms = await pending();
      const ages = platforms?.map(({ oldestSeconds }) => oldestSeconds) ?? [Number.NaN];
      this.set(Math.max(0, ...ages));
    },
  });
}
