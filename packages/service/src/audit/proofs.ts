import type { AuditProofs } from "@cardbridge/domain";
import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { auditCheckpoints } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";
import type { Ports } from "../operation/ports.ts";
import { readAbout } from "./about.ts";
import { type Checkpoint, type Entry, leafOf } from "./digest.ts";
import { type Position, readEntries, toListed } from "./entries.ts";
import { endOfExport, lastExport } from "./exported-months.ts";
import { pathOf, treeOf } from "./merkle.ts";

const { placeholder } = sql;

type Database = Pick<Ports, "database">;
type Proven = AuditProofs["entries"][number];

/** The number of checkpoints whose ends one statement reads. */
const batchSize = 10_000;
/** A checkpoint is created after its entries, by a clock that a failover may have set back. */
const clockTolerance = 24 * 3_600_000;

const statements = perConnection((tx) => ({
  // The ends of checkpoints, without their hashes.
  checkpointEnds: tx
    .select({
      number: auditCheckpoints.number,
      txid: auditCheckpoints.lastTxid,
      id: auditCheckpoints.lastId,
      count: auditCheckpoints.count,
    })
    .from(auditCheckpoints)
    .where(
      and(
        eq(auditCheckpoints.platformId, placeholder("platformId")),
        gt(auditCheckpoints.number, placeholder("number")),
        sql`${auditCheckpoints.createdAt} >= ${placeholder("since")}::timestamptz`,
      ),
    )
    .orderBy(asc(auditCheckpoints.number))
    .limit(placeholder("limit"))
    .prepare("audit_checkpoint_ends"),
}));

/**
 * A platform's committed entries about these subjects since a time, oldest first, each with its proof. It reads every
 * entry since then, in batches.
 */
export async function proveAbout(
  ports: Database,
  platformId: string,
  { subjects, since }: { subjects: readonly string[]; since: Date },
): Promise<AuditProofs> {
  const found: Entry[] = [];
  for await (const batch of readAbout(ports, platformId, { subjects, since })) found.push(...batch);
  return proveEntries(ports, platformId, { covers: await findCovers(ports, platformId, found), since });
}

/**
 * The proof of each found entry. It reads the checkpoints that cover them, with all of their entries.
 * @param since the time from which on entries were looked for
 */
export async function proveEntries(
  ports: Database,
  platformId: string,
  { covers, since }: { covers: readonly Cover[]; since: Date },
): Promise<AuditProofs> {
  const entries: Proven[] = [];
  const checkpoints: AuditProofs["checkpoints"] = [];
  for (const { number, entries: ofCheckpoint } of covers) {
    const range = number === null ? undefined : await readRange(ports, platformId, number);
    if (!range?.checkpoint.root || range.entries.length !== range.checkpoint.count) {
      entries.push(...ofCheckpoint.map((entry) => unproven(platformId, entry, number)));
      continue;
    }
    const tree = treeOf(range.entries.map((entry) => leafOf(platformId, entry)));
    const indexes = new Map(range.entries.map(({ id }, index) => [id, index]));
    checkpoints.push({ number: range.checkpoint.number, root: range.checkpoint.root.toString("hex") });
    for (const entry of ofCheckpoint) {
      const index = indexes.get(entry.id) ?? -1;
      const path = pathOf(tree, index).map((hash) => hash.toString("hex"));
      const size = range.entries.length;
      entries.push({ ...unproven(platformId, entry, range.checkpoint.number), index, size, path });
    }
  }
  const dropped = await droppedUntil(ports, platformId);
  const isCut = dropped !== null && dropped > since.toISOString();
  return { platformId, entries, checkpoints, since: isCut ? dropped : null };
}

/** Until when the platform's entries were dropped; null if none were. */
function droppedUntil({ database }: Database, platformId: string): Promise<string | null> {
  return database.asPlatform<string | null>(platformId, async (tx) => {
    const dropped = await lastExport(tx, platformId, { dropped: true });
    return dropped ? endOfExport(dropped.month) : null;
  });
}

/** An entry that no checkpoint covers yet, or one without a root, or one whose other entries were dropped with their month. */
const unproven = (platformId: string, entry: Entry, checkpoint: number | null): Proven => ({
  entry: toListed(entry),
  leaf: leafOf(platformId, entry).toString("hex"),
  checkpoint,
  index: null,
  size: null,
  path: [],
});

type End = Position & Pick<Checkpoint, "number" | "count">;

/** Found entries, and the checkpoint that covers them. */
export interface Cover {
  /** Null: no checkpoint covers them yet. */
  number: number | null;
  /** The number of all entries under the checkpoint. */
  count: number;
  entries: Entry[];
}

/** Groups found entries, oldest first, by their checkpoint: the first one that ends at or after them. */
export async function findCovers(
  { database }: Database,
  platformId: string,
  found: readonly Entry[],
): Promise<Cover[]> {
  const covers: Cover[] = [];
  const oldest = Math.min(...found.map(({ at }) => at.getTime()), Date.now());
  const since = new Date(oldest - clockTolerance).toISOString();
  let next = 0;
  for (let after: number | undefined = 0; after !== undefined && next < found.length; ) {
    const from: object = { platformId, number: after, since, limit: batchSize };
    const ends: End[] = await database.asPlatform<End[]>(platformId, (tx) =>
      statements(tx).checkpointEnds.execute({ ...from }),
    );
    for (const end of ends) {
      const covered: Entry[] = [];
      for (let entry = found[next]; entry && !isAfter(entry, end); entry = found[next]) {
        covered.push(entry);
        next += 1;
      }
      if (covered.length > 0) covers.push({ number: end.number, count: end.count, entries: covered });
    }
    after = ends.length === batchSize ? ends.at(-1)?.number : undefined;
  }
  return next < found.length ? [...covers, { number: null, count: 0, entries: found.slice(next) }] : covers;
}

const isAfter = (one: Position, other: Position) =>
  one.txid > other.txid || (one.txid === other.txid && one.id > other.id);

/** A checkpoint and the entries under it. */
function readRange({ database }: Database, platformId: string, number: number) {
  return database.asPlatform<{ checkpoint: Checkpoint; entries: Entry[] } | undefined>(
    platformId,
    async (tx) => {
      const rows = await tx
        .select()
        .from(auditCheckpoints)
        .where(
          and(
            eq(auditCheckpoints.platformId, platformId),
            inArray(auditCheckpoints.number, [number - 1, number]),
          ),
        );
      const checkpoint = rows.find((row) => row.number === number);
      const previous = rows.find((row) => row.number === number - 1);
      if (!checkpoint) return;
      const { lastTxid, lastId, count } = checkpoint;
      const start = previous
        ? { txid: previous.lastTxid, id: previous.lastId }
        : { txid: checkpoint.firstTxid, id: checkpoint.firstId - 1n };
      const range = { platformId, ...start, lastTxid, lastId, limit: count };
      return { checkpoint, entries: await readEntries(tx, range) };
    },
  );
}
