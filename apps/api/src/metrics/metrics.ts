import type {
  Audit,
  DeliveryCount,
  Observation,
  Observer,
  PoolState,
  ProviderState,
  RecordCount,
} from "@cardbridge/domain";
import { listOperations, type Operations } from "@cardbridge/operations";
import { Hono } from "hono";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Usage } from "../admission/fair-semaphore.ts";
import type { Resource } from "../admission/slots.ts";
import { restRoutes } from "../rest/routes.ts";
import { auditMetrics, unsealedEntries } from "./audit.ts";
import type { EventMetric, ReadMetric } from "./declaration.ts";
import { httpMetrics, type ServedRoute } from "./http.ts";
import { kycMetrics, waitingRecords } from "./kyc.ts";
import { operationMetrics } from "./operations.ts";
import { type Dependencies, processMetrics, processState } from "./process.ts";
import { providerMetrics, providerState } from "./provider.ts";
import { readOnce } from "./read-once.ts";
import { readValues } from "./read-values.ts";
import { recordEvents } from "./record-events.ts";
import { poolConnections, resourceUsage, shareMetrics } from "./resources.ts";
import { pendingWebhooks, webhookMetrics } from "./webhooks.ts";

export interface Metrics extends Observer {
  /** Serves `GET /metrics` in the Prometheus text format. */
  app: Hono;
}

export interface MetricsOptions {
  operations: Operations;
  /** Every route of the app; none in a process that serves no callers. */
  routes: readonly ServedRoute[];
  /** The waiting records of all platforms. */
  waiting(): Promise<RecordCount[]>;
  /** The platforms with unsealed audit entries. */
  unsealed: Audit["unsealed"];
  /** The pending deliveries of webhooks of all platforms. */
  deliveries(): Promise<DeliveryCount>;
  provider(): ProviderState;
  databaseConnections(): PoolState;
  usage(resource: Resource): Usage;
  dependencies(): Promise<Dependencies>;
  /** The number of dropped log lines. */
  droppedLines(): number;
  /** The number of dropped spans; absent in a process that does not trace. */
  droppedSpans?: (() => number) | undefined;
}

/** Creates every metric of the service. Labels are our own words: no metric contains personal data or ids. */
export function createMetrics(options: MetricsOptions): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  readValues(registry, readMetrics(options));
  const { observe } = recordEvents(registry, eventMetrics(options));
  const app = new Hono();
  app.get("/metrics", async (c) =>
    c.text(await registry.metrics(), 200, { "content-type": registry.contentType }),
  );
  return { app, observe };
}

/** The metric of each observed event. */
function eventMetrics({ operations, routes }: MetricsOptions): Record<Observation, EventMetric> {
  return {
    ...httpMetrics(routes, restRoutes(operations)),
    ...operationMetrics(listOperations(operations)),
    ...providerMetrics,
    ...kycMetrics,
    ...webhookMetrics,
    ...auditMetrics,
    ...shareMetrics,
    ...processMetrics,
  };
}

/** The metrics that each scrape reads. */
function readMetrics(options: MetricsOptions): ReadMetric[] {
  return [
    ...waitingRecords(readOnce(options.waiting)),
    ...pendingWebhooks(readOnce(options.deliveries)),
    ...unsealedEntries(readOnce(options.unsealed)),
    ...providerState(options.provider),
    ...resourceUsage(options.usage),
    ...poolConnections({
      database: options.databaseConnections,
      provider: () => options.provider().connections,
    }),
    ...processState({ ...options, dependencies: readOnce(options.dependencies) }),
  ];
}
