import type { AuditVerified, CheckpointReference } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import type { Tx } from "../database/statements.ts";
import { beginning } from "./create-checkpoint.ts";
import type { Checkpoint, Entry } from "./digest.ts";
import { isGenuineExport, lastExport } from "./exports.ts";
import {
  isGenuine,
  type Link,
  problemsOfAnchor,
  problemsOfCheckpoint,
  problemsOfDropped,
  problemsOfEntries,
  problemsOfKnown,
  startOf,
} from "./problems.ts";
import { auditStatements } from "./statements.ts";

/** The number of checkpoints in a batch. Each checkpoint is read with its entries. */
const batchSize = 20;

interface Verification {
  key: Buffer;
  /** The number of the last verified checkpoint; 0 to start from the beginning. */
  after: number;
  known?: CheckpointReference | undefined;
}

/**
 * Verifies a platform's next checkpoints against their entries. Reads checkpoint `after` again as the first link. After
 * months were dropped, the verification starts at the last checkpoint of their export.
 */
export function verifyBatch(
  database: Database,
  platformId: string,
  { key, after: requested, known }: Verification,
): Promise<AuditVerified> {
  return database.asPlatform<AuditVerified>(platformId, async (tx) => {
    const dropped = await lastExport(tx, platformId, { dropped: true });
    const anchor = dropped && isGenuineExport(dropped, key) ? dropped : undefined;
    const after = Math.max(requested, anchor?.lastNumber ?? 0);
    const batch = await readBatch(tx, platformId, { key, after });
    const { previous, checkpoints, entries, hasMore } = batch;

    const problems = [...problemsOfAnchor(dropped, previous, { anchor, after, key }), ...batch.problems];
    const last = checkpoints.at(-1);
    const isReached = (number: number) => number > after && (!hasMore || number <= (last?.number ?? 0));
    if (known && isReached(known.number)) {
      const checkpoint = checkpoints.find(({ number }) => number === known.number);
      problems.push(...problemsOfKnown(known, checkpoint));
    }
    if (known && anchor && after === anchor.lastNumber) problems.push(...problemsOfDropped(known, anchor));
    if (!last && after > (previous?.number ?? 0)) {
      problems.push(`Checkpoint ${after}, which was verified, is missing: the end of the chain was cut off.`);
    }
    return {
      checkpoints: checkpoints.length,
      entries: entries.reduce((sum, covered) => sum + covered.length, 0),
      anchor: anchor ? { number: anchor.lastNumber, hash: anchor.lastHash.toString("hex") } : null,
      last: last ? { number: last.number, hash: last.hash.toString("hex") } : null,
      problems,
      next: hasMore && last ? last.number : null,
      pending: hasMore ? null : await countBehind(tx, platformId, last ?? previous ?? beginning),
    };
  });
}

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
  const statements = auditStatements(tx);
  const [[previous], checkpointsAndNext] = await Promise.all([
    statements.lastCheckpointUpTo.execute({ platformId, number: after }),
    statements.checkpointsBehind.execute({ platformId, number: after, limit: batchSize + 1 }),
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
  const range = { ...startOf(link), lastTxid, lastId, limit };
  return auditStatements(tx).entriesUpTo.execute({ platformId, ...range });
}

async function countBehind(
  tx: Tx,
  platformId: string,
  { lastTxid: txid, lastId: id }: Pick<Checkpoint, "lastTxid" | "lastId">,
): Promise<number> {
  const [row] = await auditStatements(tx).countBehind.execute({ platformId, txid, id });
  return row?.count ?? 0;
}
