import { reasonOf } from "@cardbridge/domain";
import { desc, eq, sql } from "drizzle-orm";
import { auditCheckpoints, auditEntries } from "../database/schema.ts";
import { perConnection, pipelineCommit, type Tx } from "../database/statements.ts";
import type { Ports } from "../operation/ports.ts";
import { type Checkpoint, digestOf, type Entry, hashOf, merkleRootOf } from "./digest.ts";
import { selectEntries } from "./entries.ts";

const { placeholder } = sql;
const minBigint = -(2n ** 63n);

/** The maximum number of entries under one checkpoint. */
const maxEntries = 1_000;

/** The position before a platform's first checkpoint. Every entry comes after it. */
export const beginning = { number: 0, lastTxid: minBigint, lastId: minBigint, hash: Buffer.alloc(32) };

/** Every transaction that could still add an earlier entry has ended. */
const isCommitted = sql`${auditEntries.txid} < audit_txid(pg_snapshot_xmin(pg_current_snapshot()))`;

const statements = perConnection((tx) => ({
  lastCheckpoint: tx
    .select()
    .from(auditCheckpoints)
    .where(eq(auditCheckpoints.platformId, placeholder("platformId")))
    .orderBy(desc(auditCheckpoints.number))
    .limit(1)
    .prepare("audit_last_checkpoint"),

  committedEntries: selectEntries(tx, isCommitted)
    .limit(placeholder("limit"))
    .prepare("audit_committed_entries"),

  // Waits for a concurrent insert of the same number to commit, then inserts nothing.
  insertCheckpoint: tx
    .insert(auditCheckpoints)
    .values({
      platformId: placeholder("platformId"),
      number: placeholder("number"),
      firstTxid: placeholder("firstTxid"),
      firstId: placeholder("firstId"),
      lastTxid: placeholder("lastTxid"),
      lastId: placeholder("lastId"),
      count: placeholder("count"),
      digest: placeholder("digest"),
      previousHash: placeholder("previousHash"),
      root: placeholder("root"),
      hash: placeholder("hash"),
      createdAt: placeholder("createdAt"),
    })
    .onConflictDoNothing()
    .returning({ number: auditCheckpoints.number })
    .prepare("audit_insert_checkpoint"),
}));

/**
 * Creates a checkpoint over the next entries of every platform. It logs each checkpoint, so that an external log can
 * prove the chain and, by its root, single entries, and reports what the command line did.
 * @returns whether more entries are waiting for a checkpoint
 */
export async function checkpointAudit(
  ports: Pick<Ports, "database" | "keySet" | "observer">,
): Promise<boolean> {
  const { observer } = ports;
  const platforms = await pendingAudit(ports).catch((error: unknown) => {
    observer.observe("audit_checkpoint_failed", { reason: reasonOf(error) });
    return [];
  });
  let more = false;
  for (const { platformId } of platforms) {
    const checkpoint = await createCheckpoint(ports, platformId, maxEntries).catch((error: unknown) => {
      observer.observe("audit_checkpoint_failed", { platformId, reason: reasonOf(error) });
      return null;
    });
    if (!checkpoint) continue;
    observer.observe("audit_checkpoint_created", {
      platformId,
      checkpoint: String(checkpoint.number),
      hash: checkpoint.hash,
      root: checkpoint.root,
    });
    for (const operation of checkpoint.commandLine) {
      observer.observe("command_line_act", { platformId, operation });
    }
    more ||= checkpoint.count === maxEntries;
  }
  return more;
}

/** Lists the platforms with pending entries, and the age of the oldest one in seconds. */
export function pendingAudit({
  database,
}: Pick<Ports, "database">): Promise<{ platformId: string; oldestSeconds: number }[]> {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ platformId: string; oldestSeconds: number }>(
      sql`select platform_id as "platformId", oldest_seconds::float8 as "oldestSeconds" from list_pending_audit()`,
    );
    return rows;
  });
}

/**
 * A checkpoint over a range of entries. It includes the previous checkpoint's hash, so it covers all earlier entries.
 */
export interface AuditCheckpoint {
  platformId: string;
  /** Starts at 1. */
  number: number;
  /** The number of entries that the checkpoint covers. */
  count: number;
  /** The operations of the covered entries that the command line ran with success, once for each entry. */
  commandLine: readonly string[];
  /** Hexadecimal. A copy outside the database detects a truncated chain. */
  hash: string;
  /**
   * The root of the Merkle tree over the entries (RFC 9162), hexadecimal. Who has its published copy verifies entries without
   * the key and without the service.
   */
  root: string;
}

/**
 * Creates a checkpoint over up to `limit` of a platform's oldest pending entries, in the order of their transactions.
 * Entries can become visible in any order, so it covers only entries that no running transaction can still precede.
 * @returns null if no entry is ready, or if another process is creating a checkpoint for the platform.
 */
export function createCheckpoint(
  { database, keySet: { audit: key } }: Pick<Ports, "database" | "keySet">,
  platformId: string,
  limit: number,
): Promise<AuditCheckpoint | null> {
  return database.asPlatform<AuditCheckpoint | null>(platformId, async (tx) => {
    const { lastCheckpoint, committedEntries, insertCheckpoint } = statements(tx);
    const [previous = beginning] = await lastCheckpoint.execute({ platformId });
    const { lastTxid: txid, lastId: id } = previous;
    const [entries, createdAt] = await Promise.all([
      committedEntries.execute({ platformId, txid, id, limit }),
      databaseTime(tx),
    ]);
    const content = contentOf(entries, previous, key);
    if (!content) return null;
    const root = merkleRootOf(platformId, entries);
    const unhashed = { platformId, ...content, root, createdAt };
    const checkpoint = { ...unhashed, hash: hashOf(unhashed, key) };
    return pipelineCommit([insertCheckpoint.execute(checkpoint)], ([inserted]) => {
      // Another process created the checkpoint of these entries at the same time.
      if (inserted.length === 0) return null;
      return {
        platformId,
        number: checkpoint.number,
        count: checkpoint.count,
        commandLine: entries.flatMap(({ actor, operation, outcome }) =>
          actor.startsWith("claim:") && outcome === "done" ? [operation] : [],
        ),
        hash: checkpoint.hash.toString("hex"),
        root: root.toString("hex"),
      };
    });
  });
}

/** The checkpoint columns that derive from its entries and from the previous checkpoint; null without entries. */
function contentOf(entries: readonly Entry[], previous: Pick<Checkpoint, "number" | "hash">, key: Buffer) {
  const [first, last] = [entries[0], entries.at(-1)];
  if (!first || !last) return null;
  return {
    number: previous.number + 1,
    firstTxid: first.txid,
    firstId: first.id,
    lastTxid: last.txid,
    lastId: last.id,
    count: entries.length,
    digest: digestOf(entries, key),
    previousHash: previous.hash,
  };
}

async function databaseTime(tx: Tx): Promise<Date> {
  const { rows } = await tx.execute<{ ms: number }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  );
  return new Date(rows[0]?.ms ?? Number.NaN);
}
