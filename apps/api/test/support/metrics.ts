import { defaultPolicies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import { createMetrics, type MetricsOptions } from "../../src/telemetry/metrics.ts";

/** The metrics of an idle process. `options` replace its values, and `text` scrapes them. */
export function idleMetrics(options: Partial<MetricsOptions> = {}) {
  const connections = { inUse: 0, idle: 0, waiting: 0 };
  const { app, observe } = createMetrics({
    operations: createOperations(defaultPolicies),
    routes: [],
    waiting: async () => [],
    requests: async () => [],
    documents: async () => [],
    backups: async () => [],
    pending: async () => [],
    deliveries: async () => ({ pending: 0, oldestSeconds: 0, disabledEndpoints: 0 }),
    provider: () => ({ breakers: { cards: "closed", kyc: "closed" }, connections }),
    databaseConnections: () => connections,
    usage: () => ({ capacity: 2, inUse: 0, waiting: 0 }),
    dependencies: async () => ({ database: true, encryptionKeys: true, files: true }),
    paused: () => ({ provider: 0, platform: 0 }),
    droppedLines: () => 0,
    ...options,
  });
  return { observe, text: async () => (await app.request("/metrics")).text() };
}

/**
 * cardbridge's own series of a scrape without their values, such as `cardbridge_users{state="a"}`.
 * Node's series are left out: a series of its garbage collection exists from the first collection of its kind.
 */
export function seriesOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("cardbridge_"))
    .map((line) => line.slice(0, line.lastIndexOf(" ")));
}
