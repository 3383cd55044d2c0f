import type { AuditSeal } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { Tx } from "../statements.ts";
import { withCommit } from "../transaction.ts";
import { digestOf, type Entry, hashOf, type Seal } from "./digest.ts";
import { auditStatements } from "./statements.ts";

const minBigint = -(2n ** 63n);

/** The link before a platform's first seal; every entry is behind it. */
export const beginning = { number: 0, lastTxid: minBigint, lastId: minBigint, hash: Buffer.alloc(32) };

/**
 * Seals a platform's next entries, in the order of their transactions. Entries become visible in any order, so
 * only entries that no running transaction can still precede are sealed.
 */
export function sealNext(
  database: Database,
  platformId: string,
  { key, limit }: { key: Buffer; limit: number },
): Promise<AuditSeal | null> {
  return database.asPlatform<AuditSeal | null>(platformId, async (tx) => {
    const statements = auditStatements(tx);
    const [previous = beginning] = await statements.lastSeal.execute({ platformId });
    const { lastTxid: txid, lastId: id } = previous;
    const [entries, sealedAt] = await Promise.all([
      statements.settledEntries.execute({ platformId, txid, id, limit }),
      databaseTime(tx),
    ]);
    const content = contentOf(entries, previous, key);
    if (!content) return null;
    const unhashed = { platformId, ...content, sealedAt };
    const seal = { ...unhashed, hash: hashOf(unhashed, key) };
    return withCommit([statements.insertSeal.execute(seal)], ([inserted]) => {
      // Another process sealed these entries at the same time.
      if (inserted.length === 0) return null;
      return { platformId, number: seal.number, count: seal.count, hash: seal.hash.toString("hex") };
    });
  });
}

/** The columns of a seal that follow from its entries and from the seal before it; null without entries. */
function contentOf(entries: readonly Entry[], previous: Pick<Seal, "number" | "hash">, key: Buffer) {
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
  const { rows } = await tx.execute<{ millis: number }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as millis`,
  );
  return new Date(rows[0]?.millis ?? Number.NaN);
}
