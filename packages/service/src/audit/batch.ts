import { and, asc, desc, eq, gt, lte, sql } from "drizzle-orm";
import { auditCheckpoints } from "../database/schema.ts";
import { perConnection, type Tx } from "../database/statements.ts";
import { beginning } from "./checkpoint.ts";
import { type Checkpoint, digestOf, type Entry, hashOf, merkleRootOf } from "./digest.ts";
import { type Position, readEntries } from "./entries.ts";

const { placeholder } = sql;

/** The number of checkpoints in a batch. Each checkpoint is read with its entries. */
const batchSize = 20;

const isOfPlatform = eq(auditCheckpoints.platformId, placeholder("platformId"));

const statements = perConnection((tx) => ({
  // Checkpoints are numbered from 1: ignore a forged checkpoint 0.
  lastCheckpointUpTo: tx
    .select()
    .from(auditCheckpoints)
    .where(
      and(isOfPlatform, gt(auditCheckpoints.number, 0), lte(auditCheckpoints.number, placeholder("number"))),
    )
    .orderBy(desc(auditCheckpoints.number))
    .limit(1)
    .prepare("audit_last_checkpoint_up_to"),

  checkpointsBehind: tx
    .select()
    .from(auditCheckpoints)
    .where(and(isOfPlatform, gt(auditCheckpoints.number, placeholder("number"))))
    .orderBy(asc(auditCheckpoints.number))
    .limit(placeholder("limit"))
    .prepare("audit_checkpoints_behind"),
}));

/** Checkpoints with their entries, verified. */
export interface Batch {
  /** The checkpoint before the batch. */
  previous: Checkpoint | undefined;
  checkpoints: Checkpoint[];
  /** The entries under each checkpoint. */
  entries: Entry[][];
  problems: string[];
  hasMore: boolean;
}

/** Reads and verifies a platform's next checkpoints, up to the number `upTo`, with their entries. */
export async function readBatch(
  tx: Tx,
  platformId: string,
  { key, after, upTo = Number.POSITIVE_INFINITY }: { key: Buffer; after: number; upTo?: number },
): Promise<Batch> {
  const { lastCheckpointUpTo, checkpointsBehind } = statements(tx);
  const [[previous], checkpointsAndNext] = await Promise.all([
    lastCheckpointUpTo.execute({ platformId, number: after }),
    checkpointsBehind.execute({ platformId, number: after, limit: batchSize + 1 }),
  ]);
  const checkpoints = checkpointsAndNext.slice(0, batchSize).filter(({ number }) => number <= upTo);
  const links = linksOf(previous, checkpoints, key);
  const entries = await Promise.all(links.map((link) => entriesOf(tx, platformId, link)));
  const problems = links.flatMap((link, index) => [
    ...problemsOfCheckpoint(link),
    ...(link.isGenuine ? problemsOfEntries(link.checkpoint, entries[index] ?? [], key) : []),
  ]);
  return { previous, checkpoints, entries, problems, hasMore: checkpointsAndNext.length > batchSize };
}

/** Whether the hash of a checkpoint is valid, which means that no column was changed after its creation. */
export function isGenuine({ hash, ...content }: Checkpoint, key: Buffer): boolean {
  return hashOf(content, key).equals(hash);
}

/** A checkpoint and the previous checkpoint. A checkpoint is genuine when its hash is valid. */
interface Link {
  checkpoint: Checkpoint;
  isGenuine: boolean;
  previous: Pick<Checkpoint, "number" | "hash" | "lastTxid" | "lastId"> & { isGenuine: boolean };
}

function linksOf(
  previousCheckpoint: Checkpoint | undefined,
  checkpoints: readonly Checkpoint[],
  key: Buffer,
): Link[] {
  let previous: Link["previous"] = previousCheckpoint
    ? { ...previousCheckpoint, isGenuine: isGenuine(previousCheckpoint, key) }
    : { ...beginning, isGenuine: true };
  return checkpoints.map((checkpoint) => {
    const link = { checkpoint, isGenuine: isGenuine(checkpoint, key), previous };
    previous = { ...checkpoint, isGenuine: link.isGenuine };
    return link;
  });
}

/** The entries in the range of a checkpoint; empty for a changed checkpoint, whose range cannot be trusted. */
function entriesOf(tx: Tx, platformId: string, link: Link): Promise<Entry[]> {
  const { lastTxid, lastId, count } = link.checkpoint;
  // One entry more than the checkpoint covers shows that entries were added.
  const limit = link.isGenuine ? count + 1 : 0;
  return readEntries(tx, { platformId, ...startOf(link), lastTxid, lastId, limit });
}

/**
 * The position after which the entries of a checkpoint start: the end of the previous checkpoint, so that no entry
 * can lie between two checkpoints. If the previous checkpoint is missing or changed, the first entry decides.
 */
function startOf({ checkpoint, previous }: Link): Position {
  return checkpoint.number === previous.number + 1 && previous.isGenuine
    ? { txid: previous.lastTxid, id: previous.lastId }
    : { txid: checkpoint.firstTxid, id: checkpoint.firstId - 1n };
}

/** The problems of a checkpoint and of its position in the chain. */
function problemsOfCheckpoint({ checkpoint, previous, isGenuine: genuine }: Link): string[] {
  const missing = problemsOfGap(previous.number, checkpoint.number);
  const linked = checkpoint.previousHash.equals(previous.hash);
  if (!genuine) return [...missing, `Checkpoint ${checkpoint.number} was changed.`];
  if (missing.length > 0) return missing;
  if (linked || !previous.isGenuine) return [];
  return [
    `Checkpoint ${checkpoint.number} does not follow checkpoint ${previous.number}: one of them belongs to another chain.`,
  ];
}

function problemsOfGap(before: number, after: number): string[] {
  const [first, last] = [before + 1, after - 1];
  if (first > last) return [];
  return first === last
    ? [`Checkpoint ${first} is missing.`]
    : [`Checkpoints ${first} to ${last} are missing.`];
}

/** The problems of the entries in the range of a genuine checkpoint. */
function problemsOfEntries(checkpoint: Checkpoint, entries: readonly Entry[], key: Buffer): string[] {
  const under = `Under checkpoint ${checkpoint.number}, which covers ${checkpoint.count},`;
  const missing = checkpoint.count - entries.length;
  if (missing > 0) return [`${under} ${missing === 1 ? "an entry is" : `${missing} entries are`} missing.`];
  if (missing < 0) return [`${under} entries were added.`];
  if (!digestOf(entries, key).equals(checkpoint.digest)) return [`${under} an entry was changed.`];
  const isOfEntries = checkpoint.root?.equals(merkleRootOf(checkpoint.platformId, entries)) ?? true;
  return isOfEntries ? [] : [`${under} the root is not that of the entries.`];
}
