import type { Audit, Observation, Observer, RecordCount } from "@cardbridge/domain";
import { Hono } from "hono";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { labelsForMetrics } from "./labels.ts";

export interface Metrics extends Observer {
  /** Answers `GET /metrics` in Prometheus' text format. */
  app: Hono;
}

/** What is asked whenever someone looks. */
export interface Looks {
  /** How many lines of the log were dropped. */
  droppedLines(): number;
  /** The records that wait. */
  waiting(): Promise<RecordCount[]>;
  /** The platforms with entries of the audit that are not sealed yet. */
  unsealed: Audit["unsealed"];
}

/** Counts what is observed. Labels are words of ours: no personal data, and no id, reaches a metric. */
export function createMetrics({ waiting, unsealed, droppedLines }: Looks): Metrics {
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
  const unsealedAge = new Gauge({
    name: "cardbridge_audit_unsealed_oldest_seconds",
    help: "The age of the oldest entry of the audit that is not sealed yet; 0 where there is none.",
    registers: [registry],
  });
  new Counter({
    name: "cardbridge_log_lines_dropped_total",
    help: "Lines that could not be written to standard error: nobody reads it, or its disk is full.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(droppedLines());
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
    return c.text(await registry.metrics(), 200, { "content-type": registry.contentType });
  });

  return {
    app,
    observe(what, labels = {}) {
      const words = labelsForMetrics(labels);
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

function oldestOf(platforms: Awaited<ReturnType<Audit["unsealed"]>>): number {
  return Math.max(0, ...platforms.map(({ oldestSeconds }) => oldestSeconds));
}
