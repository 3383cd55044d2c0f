import type { Observer } from "@cardbridge/domain";
import { type Ports, settleKyc } from "../operations/index.ts";
import { startLoop } from "./loop.ts";
import { sealAudit } from "./seal-audit.ts";

const hourMs = 3_600_000;
/** For so long an entry of the audit may stay unsealed where nothing is wrong. */
const sealingMs = 5_000;
/** How long an idempotency key is kept: 30 days are promised (gap G20). */
const idempotencyKeyDays = 35;

export interface WorkerOptions {
  ports: Pick<Ports, "provider" | "kycRecords" | "audit" | "observer">;
  /** The wait between looks for due records, in milliseconds. */
  intervalMs?: number;
  /** How many records are settled at the same time, and with the interval the rate that the provider sees. */
  concurrency?: number;
}

export interface Worker {
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Settles due records: submissions whose answer is not known, and those that the provider has not decided
 * yet; and seals the audit. Any number of workers may run against one database; none gets a record that
 * another one has.
 */
export function startWorker({ ports, intervalMs = 1_000, concurrency = 8 }: WorkerOptions): Worker {
  const sealing = startLoop(() => sealAudit(ports), sealingMs);
  const tidying = setInterval(() => tidy(ports.kycRecords), hourMs);
  let stopped = false;
  let wake = () => {};

  async function run(): Promise<void> {
    while (!stopped) {
      const taken = await pass(ports, concurrency);
      if (taken < concurrency && !stopped) await sleep();
    }
  }

  function sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, intervalMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const running = run();
  return {
    async stop() {
      stopped = true;
      clearInterval(tidying);
      wake();
      await Promise.all([running, sealing.stop()]);
    },
  };
}

/** Forgets what is kept for a while only. Next time is soon enough when the database is away. */
async function tidy(kycRecords: Ports["kycRecords"]): Promise<void> {
  await kycRecords.forgetKeys(idempotencyKeyDays).catch(() => {});
}

/** One look: takes what is due, settles it, and returns how many there were. Never throws. */
async function pass(
  { provider, kycRecords, observer }: WorkerOptions["ports"],
  most: number,
): Promise<number> {
  const due = await kycRecords.takeDue(most).catch(() => unavailable(observer));
  await Promise.all(
    due.map(async ({ platformId, ...id }) => {
      const attempt = await kycRecords.open(platformId, id).catch(() => null);
      if (attempt) await settleKyc({ provider, kycRecords, observer }, platformId, attempt);
    }),
  );
  return due.length;
}

function unavailable(observer: Observer): [] {
  observer.observe("worker_without_database");
  return [];
}
