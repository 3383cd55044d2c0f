import { type DeliveryCount, type Observer, type RecordCount, resolutions } from "@cardbridge/domain";
import {
  type BackupState,
  backupSteps,
  type DocumentCount,
  documentStates,
  type Operations,
  type pendingAudit,
  type RequestCount,
  requestStates,
} from "@cardbridge/service";
import { Hono } from "hono";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { ServedRoute } from "./call-series.ts";
import { createEventMetrics } from "./event-metrics.ts";
import { addProcessMetrics, type ProcessState } from "./process-metrics.ts";
import { readOnce } from "./read-once.ts";
import { everyCombination, type LabelSet } from "./series.ts";

const recordStates = everyCombination({ resolution: resolutions, needs_attention: ["false", "true"] });
const statesOfRequests = everyCombination({ state: requestStates });
const statesOfDocuments = everyCombination({ state: documentStates });

/** What a read counts, with its labels. */
interface Counted {
  labels: LabelSet;
  count: number;
  oldestSeconds: number;
}

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
  /** The requests for documents of all platforms that need somebody. */
  requests(): Promise<RequestCount[]>;
  /** The documents of the approved records of all platforms that expire or that a worker looks at. */
  documents(): Promise<DocumentCount[]>;
  /** The pending deliveries of webhooks of all platforms. */
  deliveries(): Promise<DeliveryCount>;
  /** The steps of backups that were attempted. */
  backups(): Promise<BackupState[]>;
  /** The platforms with pending audit entries. */
  pending(): ReturnType<typeof pendingAudit>;
}

/** Adds the gauges of work that waits in the database, for all platforms. They are NaN while it cannot be read. */
function addWaitingWork(registry: Registry, work: WaitingWork): void {
  const registers = [registry];
  const records = readOnce(async () =>
    (await work.waiting()).map(({ resolution, needsAttention, ...count }) => ({
      ...count,
      labels: { resolution, needs_attention: String(needsAttention) },
    })),
  );
  const byState = (read: () => Promise<readonly (RequestCount | DocumentCount)[]>) =>
    readOnce(async () => (await read()).map(({ state, ...count }) => ({ ...count, labels: { state } })));
  const requests = byState(work.requests);
  const documents = byState(work.documents);
  const deliveries = readOnce(work.deliveries);
  const pending = readOnce(work.pending);
  const backups = readOnce(work.backups);

  /** Two gauges: how many there are in each state, and for how long the oldest one has been there. */
  function countGauges(
    name: string,
    { help, oldest, states }: { help: string; oldest: string; states: readonly LabelSet[] },
    read: () => Promise<readonly Counted[] | undefined>,
  ) {
    const gauge = (full: string, text: string, value: "count" | "oldestSeconds") =>
      new Gauge({
        name: full,
        help: text,
        labelNames: Object.keys(states[0] ?? {}),
        registers,
        async collect() {
          const counts = await read();
          for (const state of states) this.set(state, counts ? 0 : Number.NaN);
          for (const counted of counts ?? []) this.set(counted.labels, counted[value]);
        },
      });
    gauge(name, help, "count");
    gauge(`${name}_oldest_seconds`, oldest, "oldestSeconds");
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

  function backupGauge(name: string, help: string, select: (state: BackupState | undefined) => number) {
    new Gauge({
      name,
      help,
      labelNames: ["step"],
      registers,
      async collect() {
        const states = await backups();
        for (const step of backupSteps)
          this.set({ step }, states ? select(states.find((state) => state.step === step)) : Number.NaN);
      },
    });
  }

  countGauges(
    "cardbridge_kyc_records_waiting",
    {
      help: "KYC records that wait: unresolved, in need of attention, or in review.",
      oldest: "The age of the oldest waiting KYC record, since its submission.",
      states: recordStates,
    },
    records,
  );
  countGauges(
    "cardbridge_document_requests",
    {
      help: "Requests of the provider for documents that are overdue, or whose answer the provider does not have.",
      oldest: "For how long the oldest request has been overdue, or its answer unsent.",
      states: statesOfRequests,
    },
    requests,
  );
  countGauges(
    "cardbridge_kyc_documents",
    {
      help: "Approved KYC records whose document expires, has expired, was never looked at, or is due for a look, each counted up to 100,000.",
      oldest: "For how long the oldest due look at a document has been due; 0 for other states.",
      states: statesOfDocuments,
    },
    documents,
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
  backupGauge(
    "cardbridge_backup_age_seconds",
    "How long ago a backup was last made or verified with success; NaN before the first time.",
    (state) => state?.last?.seconds ?? Number.NaN,
  );
  backupGauge(
    "cardbridge_backup_failed",
    "Whether the newest attempt to make or to verify a backup failed.",
    (state) => Number(state?.failed ?? false),
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
