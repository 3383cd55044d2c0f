import type { Observer } from "@cardbridge/domain";
import type { Operations } from "@cardbridge/operations";
import { Hono } from "hono";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { ServedRoute } from "./call-series.ts";
import { createEventMetrics } from "./event-metrics.ts";
import { addProcessMetrics, type ProcessState } from "./process-metrics.ts";
import { addWaitingWork, type WaitingWork } from "./waiting-work.ts";

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
