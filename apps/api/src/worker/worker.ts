import { defaultPolicies } from "@cardbridge/domain";
import {
  checkDocuments,
  checkpointAudit,
  disableBacklogged,
  eraseDueUsers,
  type Ports,
  pruneWebhooks,
  requestExpiredErasures,
  resolveLookup,
  sweepFiles,
  sweepOpenings,
  sweepUsers,
  type WorkerPass,
  writeReadCounts,
} from "@cardbridge/service";
import { type Pass, startLoop } from "./loop.ts";
import { resolveRecords } from "./resolve-records.ts";
import { run } from "./run.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** The interval between audit checkpoints. It is also the maximum age of pending audit entries. */
const checkpointMs = 5_000;

/** At least this time is between passes over documents, so that the events of an upgrade's first looks do not flood platforms. */
const documentsSpacingMs = 1_000;

/** Limits that keep each pass short. */
const maxDocuments = 200;
const maxErased = 100;
const maxSwept = 100;
const maxExpired = 5_000;
const maxPruned = 1_000;

/** The retention of idempotency keys. The service guarantees 30 days (gap G20). */
const idempotencyKeyDays = 35;
/** The retention of webhook events and their deliveries (gap G32). */
const webhookDays = 30;

export interface WorkerOptions {
  ports: Ports;
  /** The days without activity after which users are erased. Without it, users never expire. */
  retentionDays?: number | undefined;
  /** The days after which erased users are deleted with their records. Without it, or with 0, they are kept. */
  erasedRecordsDays?: number | undefined;
  /** The days before its expiry from which a document is expiring. */
  expiryNoticeDays?: number;
  /** The polling interval for due records, in milliseconds. */
  intervalMs?: number | undefined;
  /** The maximum number of concurrent attempts. */
  concurrency?: number;
  /** The maximum number of attempts per second, unlimited by default. */
  perSecond?: number;
}

export interface Worker {
  /** Stops all loops and waits for their current passes. */
  stop(): Promise<void>;
}

/**
 * Starts the worker: it resolves due records, creates audit checkpoints, looks at the documents of
 * approved records, prunes old idempotency keys and deliveries, expires, erases and sweeps users, and deletes expired files. Several workers can share one database: only one
 * worker at a time locks a record or a user.
 */
export function startWorker({
  ports,
  retentionDays,
  erasedRecordsDays,
  expiryNoticeDays = defaultPolicies.expiryNoticeDays,
  intervalMs = 1_000,
  concurrency = 32,
  perSecond = Number.POSITIVE_INFINITY,
}: WorkerOptions): Worker {
  const { kycRecords, observer } = ports;
  const pass = <T>(name: WorkerPass, work: () => Promise<T>) => run(ports, name, work);

  const lookup: Pass = async () => (await pass("kyc.resolveLookup", () => resolveLookup(ports))) === true;
  const checkpoint: Pass = async () =>
    (await pass("audit.checkpoint", () => checkpointAudit(ports))) === true;
  const writeCounts: Pass = async () =>
    (await pass("audit.writeReadCounts", () => writeReadCounts(ports, maxPruned))) === maxPruned;
  const documents: Pass = async () =>
    (await pass("kyc.checkDocuments", () =>
      checkDocuments(ports, { expiryNoticeDays, limit: maxDocuments }),
    )) === maxDocuments;
  const sweep: Pass = async () => (await pass("files.sweep", () => sweepFiles(ports, maxSwept))) === maxSwept;
  const sweepEvidence: Pass = async () =>
    (await pass("evidence.sweep", () => sweepOpenings(ports, maxPruned))) === maxPruned;
  const erase: Pass = async () => {
    const erased = await pass("users.eraseDue", () => eraseDueUsers(ports, maxErased));
    for (let count = 0; count < (erased ?? 0); count += 1) observer.observe("user_erased");
    return false;
  };
  const sweepErased: Pass = async () => {
    if (!erasedRecordsDays) return false;
    return (await pass("users.sweep", () => sweepUsers(ports, erasedRecordsDays, maxErased))) === maxErased;
  };
  const pruneKeys: Pass = async () =>
    (await pass("idempotencyKeys.prune", () => kycRecords.pruneKeys(idempotencyKeyDays, maxPruned))) ===
    maxPruned;
  const expire: Pass = async () => {
    if (retentionDays)
      await pass("users.expire", () => requestExpiredErasures(ports, retentionDays, maxExpired));
    return false;
  };
  const pruneDeliveries: Pass = async () => {
    const prune = async () => {
      await disableBacklogged(ports);
      return pruneWebhooks(ports, webhookDays, maxPruned);
    };
    return ((await pass("webhooks.prune", prune)) ?? 0) > 0;
  };
  const loops = [
    resolveRecords({ ports, intervalMs, concurrency, perSecond }),
    startLoop(lookup, intervalMs),
    startLoop(checkpoint, checkpointMs),
    startLoop(writeCounts, hourMs),
    startLoop(pruneKeys, hourMs),
    startLoop(sweepEvidence, hourMs),
    startLoop(expire, hourMs),
    startLoop(sweepErased, hourMs),
    startLoop(documents, minuteMs, documentsSpacingMs),
    startLoop(erase, minuteMs),
    startLoop(sweep, minuteMs),
    startLoop(pruneDeliveries, minuteMs),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
