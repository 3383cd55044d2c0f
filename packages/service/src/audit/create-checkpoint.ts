import type { AuditCheckpoint } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { type Checkpoint, digestOf, type Entry, hashOf, merkleRootOf } from "./digest.ts";
import { auditStatements } from "./statements.ts";

const minBigint = -(2n ** 63n);

/** The position before a platform's first checkpoint. Every entry comes after it. */
export const beginning = { number: 0, lastTxid: minBigint, lastId: minBigint, hash: Buffer.alloc(32) };

/**
 * Creates a checkpoint of a platform's next entries, in the order of their transactions. Entries can become visible
 * in any order, so a checkpoint covers only entries that no running transaction can still precede.
 */
export function createNextCheckpoint(
  database: Database,
  platformId: string,
  { key, limit }: { key: Buffer; limit: number },
): Promise<AuditCheckpoint | null> {
  return database.asPlatform<AuditCheckpoint | null>(platformId, async (tx) => {
    const statements = auditStatements(tx);
    const [previous = beginning] = await statements.lastCheckpoint.execute({ platformId });
    const { lastTxid: txid, lastId: id } = previous;
    const [entries, createdAt] = await Promise.all([
      statements.committedEntries.execute({ platformId, txid, id, limit }),
      databaseTime(tx),
    ]);
    const content = contentOf(entries, previous, key);
    if (!content) return null;
    const root = merkleRootOf(platformId, entries);
    const unhashed = { platformId, ...content, root, createdAt };
    const checkpoint = { ...unhashed, hash: hashOf(unhashed, key) };
    return pipelineCommit([statements.insertCheckpoint.execute(checkpoint)], ([inserted]) => {
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
