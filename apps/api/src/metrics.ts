import type { Observation, Observer, RecordCount } from "@cardbridge/domain";
import { Hono } from "hono";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

export interface Metrics extends Observer {
  /** Answers `GET /metrics` in Prometheus' text format. */
  app: Hono;
}

/**
 * Counts what is observed, and asks `counts` for the records that wait whenever someone looks. Labels are
 * words of ours: no personal data, and no id, reaches a metric.
 */
export function createMetrics(counts: () => Promise<RecordCount[]>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counters = new Map<Observation, Counter>();

  const labelNames = ["settlement", "held"];
  const records = new Gauge({
    name: "cardbridge_kyc_records_waiting",
    help: "KYC records that somebody has to look at: unsettled, held for people, or not decided yet.",
    labelNames,
    registers: [registry],
  });
  const age = new Gauge({
    name: "cardbridge_kyc_records_waiting_oldest_seconds",
    help: "The age of the oldest of them.",
    labelNames,
    registers: [registry],
  });

  const app = new Hono();
  app.get("/metrics", async (c) => {
    records.reset();
    age.reset();
    for (const { settlement, held, count, oldestSeconds } of await counts().catch(() => [])) {
      records.set({ settlement, held: String(held) }, count);
      age.set({ settlement, held: String(held) }, oldestSeconds);
    }
    return c.text(await registry.metrics(), 200, { "content-type": registry.contentType });
  });

  return {
    app,
    observe(what, labels = {}) {
      // For the log only: each would be a series of its own.
      const { kycRecordId: _id, subStatus: _value, ...words } = labels;
      counterOf(what, Object.keys(words)).inc(words);
    },
  };

  function counterOf(what: Observation, names: string[]): Counter {
    const known = counters.get(what);
    if (known) return known;
    const name = `cardbridge_${what}_total`;
    const made = new Counter({
      name,
      help: what.replaceAll("_", " "),
      labelNames: names,
      registers: [registry],
    });
    counters.set(what, made);
    return made;
  }
}
