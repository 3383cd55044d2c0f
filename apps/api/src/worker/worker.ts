import { type Erasures, Failure, type Observer } from "@cardbridge/domain";
import { type Ports, settleKyc } from "../operations/index.ts";
import { reasonOf } from "../reason.ts";
import { eraseUsers, forgetOld, sweepFiles } from "./forget.ts";
import { startLoop } from "./loop.ts";
import { sealAudit } from "./seal-audit.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** For so long an entry of the audit may stay unsealed where nothing is wrong. */
const sealingMs = 5_000;

export interface WorkerOptions {
  ports: Pick<Ports, "provider" | "kycRecords" | "audit" | "observer" | "files" | "fileUrls">;
  erasures: Erasures;
  /** Users of whom nothing came for so many days are erased; none are when absent. */
  retentionDays?: number | undefined;
  /** The wait between looks for due records, in milliseconds. */
  intervalMs?: number;
  /** How many records are settled at the same time. */
  concurrency?: number;
  /**
   * How many are begun in a second at most, without a bound when absent: a provider that comes back is not run over
   * by what waited for it.
   */
  perSecond?: number;
}

export interface Worker {
  /** Takes nothing more and waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Settles due records: submissions whose answer is not known, and those that the provider has not decided
 * yet; seals the audit, forgets what is old, erases users, and destroys files that are over. Any number of workers may run against one
 * database; none gets a record or a user that another one has.
 */
export function startWorker({
  ports,
  erasures,
  retentionDays,
  intervalMs = 1_000,
  concurrency = 8,
  perSecond = Number.POSITIVE_INFINITY,
}: WorkerOptions): Worker {
  const most = Math.min(concurrency, perSecond);
  const loops = [
    startLoop(() => settleDue(ports, most), intervalMs, (most * 1_000) / perSecond),
    startLoop(() => sealAudit(ports), sealingMs),
    startLoop(() => forgetOld(ports.kycRecords, erasures, retentionDays), hourMs),
    startLoop(() => eraseUsers(erasures, ports.observer), minuteMs),
    startLoop(() => sweepFiles(ports.files), minuteMs),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** One look: takes what is due and settles it. Never throws. */
async function settleDue(
  { provider, kycRecords, observer, fileUrls }: WorkerOptions["ports"],
  most: number,
): Promise<"more" | "done"> {
  const due = await kycRecords.leaseDue(most).catch(() => unavailable(observer));
  await Promise.all(
    due.map(async ({ platformId, ...id }) => {
      const attempt = await kycRecords
        .loadAttempt(platformId, id)
        .catch((error: unknown) => notOpened(observer, id.kycRecordId, error));
      if (attempt) await settleKyc({ provider, kycRecords, observer, fileUrls }, platformId, attempt);
    }),
  );
  return due.length < most ? "done" : "more";
}

function unavailable(observer: Observer): [] {
  observer.observe("worker_without_database");
  return [];
}

/** The record stays due: it is opened again when its lease is over. */
function notOpened(observer: Observer, kycRecordId: string, error: unknown): null {
  const cause = error instanceof Failure ? error.details.cause : error;
  observer.observe("kyc_not_opened", { reason: reasonOf(cause), kycRecordId });
  return null;
}
