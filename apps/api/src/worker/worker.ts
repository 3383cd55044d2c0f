import type { Operations, Ports } from "@cardbridge/operations";
import { type Pass, startLoop } from "./loop.ts";
import { run } from "./run.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The interval of sealing, and so the maximum age of unsealed audit entries. */
const sealingMs = 5_000;

/** Limits that keep each pass short. */
const maxErased = 100;
const maxSwept = 100;
const maxExpired = 5_000;
const maxForgotten = 1_000;

export interface WorkerOptions {
  operations: Operations;
  ports: Ports;
  /** The days without activity after which users are erased. Without it, users never expire. */
  retentionDays?: number | undefined;
  /** The polling interval for due records, in milliseconds. */
  intervalMs?: number | undefined;
  /** The maximum number of concurrent attempts. */
  concurrency?: number;
  /**
   * The maximum number of attempts per second, unlimited by default. It protects a recovering provider from the
   * backlog.
   */
  perSecond?: number;
}

export interface Worker {
  /** Stops all loops and waits for their current passes. */
  stop(): Promise<void>;
}

/**
 * Starts the worker: it settles due records, seals audits, deletes old idempotency keys and deliveries, expires and
 * erases users, and deletes expired files. Several workers can share one database: each record and user is locked by one
 * of them.
 */
export function startWorker({
  operations: { kyc, audit, idempotencyKeys, users, files, webhooks },
  ports,
  retentionDays,
  intervalMs = 1_000,
  concurrency = 8,
  perSecond = Number.POSITIVE_INFINITY,
}: WorkerOptions): Worker {
  const limit = Math.min(concurrency, perSecond);
  const settle: Pass = async () => (await run(ports, kyc.settleDue, { limit }))?.leased === limit;
  const seal: Pass = async () => (await run(ports, audit.seal, {}))?.more === true;
  const sweep: Pass = async () => (await run(ports, files.sweep, { limit: maxSwept }))?.swept === maxSwept;
  const erase: Pass = async () => {
    await run(ports, users.eraseDue, { limit: maxErased });
    return false;
  };
  const forget: Pass = async () => {
    await run(ports, idempotencyKeys.forget, {});
    if (retentionDays) await run(ports, users.expire, { days: retentionDays, limit: maxExpired });
    return false;
  };
  const forgetWebhooks: Pass = async () =>
    ((await run(ports, webhooks.forget, { limit: maxForgotten }))?.forgotten ?? 0) > 0;
  const loops = [
    startLoop(settle, intervalMs, (limit * 1_000) / perSecond),
    startLoop(seal, sealingMs),
    startLoop(forget, hourMs),
    startLoop(erase, minuteMs),
    startLoop(sweep, minuteMs),
    startLoop(forgetWebhooks, minuteMs),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
