import { deliverWebhook, type Ports } from "@cardbridge/service";
import type { Env } from "../config/env.ts";
import { type Deliveries, startDeliveries } from "./deliveries.ts";
import { run } from "./run.ts";
import { startWorker, type Worker } from "./worker.ts";

interface Options {
  env: Pick<
    Env,
    "RUN" | "RETENTION_DAYS" | "ERASED_RECORDS_DAYS" | "RESOLVE_PER_SECOND" | "POLICY_EXPIRY_NOTICE_DAYS"
  >;
  ports: Ports;
  /** The worker's polling interval for due records, in milliseconds. */
  intervalMs?: number | undefined;
}

export interface BackgroundWork {
  /** Starts the worker and the deliveries of webhooks, unless this process runs only the API. */
  start(): void;
  /** Stops leasing, and waits for running work. */
  stop(): Promise<unknown>;
  /** Ends the running deliveries, so that they return their leases. */
  abort(): Promise<unknown>;
}

/** Creates the background work of a process. Nothing runs before `start`. */
export function createBackgroundWork({ env, ports, intervalMs }: Options): BackgroundWork {
  let worker: Worker | undefined;
  let deliveries: Deliveries | undefined;
  return {
    start() {
      if (env.RUN === "api") return;
      deliveries = deliverWebhooks(ports);
      worker = startWorker({
        ports,
        retentionDays: env.RETENTION_DAYS,
        erasedRecordsDays: env.ERASED_RECORDS_DAYS,
        expiryNoticeDays: env.POLICY_EXPIRY_NOTICE_DAYS,
        perSecond: env.RESOLVE_PER_SECOND,
        intervalMs,
      });
    },
    stop: () => Promise.all([worker?.stop(), deliveries?.stop()]),
    abort: async () => deliveries?.abort(),
  };
}

/** Delivers webhooks by passes of the worker. Several processes can share one database. */
function deliverWebhooks(ports: Ports): Deliveries {
  const { webhookDeliveries } = ports;
  return startDeliveries({
    lease: async (slots) =>
      (await run(ports, "webhooks.leaseDue", () => webhookDeliveries.leaseDue(slots))) ?? [],
    findInactive: async (endpointIds) =>
      (await run(ports, "webhooks.findInactive", () => webhookDeliveries.findInactive(endpointIds))) ?? [],
    async deliver(due, signal) {
      await run(ports, "webhooks.deliver", () => deliverWebhook(ports, due, signal));
    },
  });
}
