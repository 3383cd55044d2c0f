import type { Audit, Observation, Observer, RecordCount, WebhookDeliveries } from "@cardbridge/domain";
import { Hono } from "hono";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { labelsForMetrics } from "./labels.ts";
import { webhookGauges } from "./webhook-gauges.ts";

export interface Metrics extends Observer {
  /** Serves `GET /metrics` in the Prometheus text format. */
  app: Hono;
}

/** The values that each scrape reads. */
export interface ScrapedValues {
  /** The number of dropped log lines. */
  droppedLines(): number;
  /** The number of dropped spans; absent in a process that does not trace. */
  droppedSpans?: (() => number) | undefined;
  /** Whether found keys and users are cached now; absent in a process that never caches. */
  cacheActive?: (() => boolean) | undefined;
  /** The waiting records. */
  waiting(): Promise<RecordCount[]>;
  /** The platforms with unsealed audit entries. */
  unsealed: Audit["unsealed"];
  /** The pending deliveries of webhooks. */
  deliveries: WebhookDeliveries["count"];
}

/** Counts observed events. Labels are our own words: no metric contains personal data or ids. */
export function createMetrics({
  waiting,
  unsealed,
  deliveries,
  droppedLines,
  droppedSpans = () => 0,
  cacheActive,
}: ScrapedValues): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<Observation, Counter>();

  const labelNames = ["settlement", "held"];
  const records = new Gauge({
    name: "cardbridge_kyc_records_waiting",
    help: "KYC records that wait: unsettled, held for an operator, or in review.",
    labelNames,
    registers: [registry],
  });
  const age = new Gauge({
    name: "cardbridge_kyc_records_waiting_oldest_seconds",
    help: "The age of the oldest waiting KYC record.",
    labelNames,
    registers: [registry],
  });
  const unsealedAge = new Gauge({
    name: "cardbridge_audit_unsealed_oldest_seconds",
    help: "The age of the oldest unsealed audit entry; 0 without one.",
    registers: [registry],
  });
  const webhooks = webhookGauges(registry);
  if (cacheActive) {
    new Gauge({
      name: "cardbridge_lookup_cache_active",
      help: "1 while keys and users that were found are cached; 0 while their changes are not heard.",
      registers: [registry],
      collect() {
        this.set(Number(cacheActive()));
      },
    });
  }
  new Counter({
    name: "cardbridge_log_lines_dropped_total",
    help: "Log lines that could not be written to standard error.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
    },
  });
  new Counter({
    name: "cardbridge_trace_spans_dropped_total",
    help: "Ended spans that were not exported: the queue was full, or the OTLP endpoint did not accept them.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedSpans());
    },
  });

  const app = new Hono();
  app.get("/metrics", async (c) => {
    records.reset();
    age.reset();
    for (const { settlement, held, count, oldestSeconds } of await waiting().catch(() => [])) {
      records.set({ settlement, held: String(held) }, count);
      age.set({ settlement, held: String(held) }, oldestSeconds);
    }
    unsealedAge.set(await unsealed().then(oldestOf, () => Number.NaN));
    webhooks.set(await deliveries().catch(() => undefined));
    return c.text(await registry.metrics(), 200, { "content-type": registry.contentType });
  });

  return {
    app,
    observe(event, labels = {}) {
      const words = labelsForMetrics(labels);
      counterOf(event, Object.keys(words)).inc(words);
    },
  };

  function counterOf(event: Observation, names: string[]): Counter {
    const existing = counters.get(event);
    if (existing) return existing;
    const name = `cardbridge_${event}_total`;
    const counter = new Counter({
      name,
      help: event.replaceAll("_", " "),
      labelNames: names,
      registers: [registry],
    });
    counters.set(event, counter);
    return counter;
  }
}

function oldestOf(platforms: Awaited<ReturnType<Audit["unsealed"]>>): number {
  return Math.max(0, ...platforms.map(({ oldestSeconds }) => oldestSeconds));
}
