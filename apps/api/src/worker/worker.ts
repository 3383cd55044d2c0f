import type { Operations, Ports } from "@cardbridge/operations";
import { type Pass, startLoop } from "./loop.ts";
import { run } from "./run.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long an audit entry may stay unsealed while the worker runs. */
const sealingMs = 5_000;

/** The bounds of one pass, so that no pass is long. */
const maxErased = 100;
const maxSwept = 100;
const maxExpired = 5_000;

export interface WorkerOptions {
  operations: Operations;
  ports: Ports;
  /** After how many days without activity users are erased; never when absent. */
  retentionDays?: number | undefined;
  /** The pause between looks for due records, in milliseconds. */
  intervalMs?: number;
  /** How many records are settled at the same time. */
  concurrency?: number;
  /**
   * How many records are settled in a second at most, unbounded when absent: it protects a provider that recovers from
   * the backlog.
   */
  perSecond?: number;
}

export interface Worker {
  /** Starts no further pass and waits for those under way. */
  stop(): Promise<void>;
}

/**
 * Settles due records, seals the audit, deletes old idempotency keys, expires and erases users, and destroys expired
 * files. Any number of workers may run against one database: no two get the same record or user.
 */
export function startWorker({
  operations: { kyc, audit, idempotencyKeys, users, files },
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
  const loops = [
    startLoop(settle, intervalMs, (limit * 1_000) / perSecond),
    startLoop(seal, sealingMs),
    startLoop(forget, hourMs),
    startLoop(erase, minuteMs),
    startLoop(sweep, minuteMs),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
