import type { AuditVerified, CheckpointReference } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { Tx } from "../statements.ts";
import { beginning } from "./checkpoint.ts";
import type { Checkpoint, Entry } from "./digest.ts";
import {
  isGenuine,
  type Link,
  problemsOfCheckpoint,
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

/** Verifies a platform's next checkpoints against their entries. Reads checkpoint `after` again as the first link. */
export function verifyBatch(
  database: Database,
  platformId: string,
  { key, after, known }: Verification,
): Promise<AuditVerified> {
  return database.asPlatform<AuditVerified>(platformId, async (tx) => {
    const statements = auditStatements(tx);
    const [[previousCheckpoint], checkpointsAndNext] = await Promise.all([
      statements.lastCheckpointUpTo.execute({ platformId, number: after }),
      statements.checkpointsBehind.execute({ platformId, number: after, limit: batchSize + 1 }),
    ]);
    const checkpoints = checkpointsAndNext.slice(0, batchSize);
    const hasMore = checkpointsAndNext.length > batchSize;
    const links = linksOf(previousCheckpoint, checkpoints, key);
    const covered = await Promise.all(links.map((link) => entriesOf(tx, platformId, link)));

    const problems = links.flatMap((link, index) => [
      ...problemsOfCheckpoint(link),
      ...(link.isGenuine ? problemsOfEntries(link.checkpoint, covered[index] ?? [], key) : []),
    ]);
    const last = checkpoints.at(-1);
    const isReached = (number: number) => number > after && (!hasMore || number <= (last?.number ?? 0));
    if (known && isReached(known.number)) {
      const checkpoint = checkpoints.find(({ number }) => number === known.number);
      problems.push(...problemsOfKnown(known, checkpoint));
    }
    if (!last && after > (previousCheckpoint?.number ?? 0)) {
      problems.push(`Checkpoint ${after}, which was verified, is missing: the end of the chain was cut off.`);
    }
    return {
      checkpoints: checkpoints.length,
      entries: covered.reduce((sum, entries) => sum + entries.length, 0),
      last: last ? { number: last.number, hash: last.hash.toString("hex") } : null,
      problems,
      next: hasMore && last ? last.number : null,
      pending: hasMore ? null : await countBehind(tx, platformId, last ?? previousCheckpoint ?? beginning),
    };
  });
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
