import type { AuditSeal } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";
import type { Tx } from "../statements.ts";
import { withCommit } from "../transaction.ts";
import { digestOf, type Entry, hashOf, type Seal } from "./digest.ts";
import { auditStatements } from "./statements.ts";

const least = -(2n ** 63n);

/** What the first seal of a platform follows: no entry can be in front of it. */
export const beginning = { number: 0, lastTxid: least, lastId: least, hash: Buffer.alloc(32) };

/**
 * Seals a platform's next entries, in the order of their transactions. Entries become visible in any order:
 * only those are sealed that no transaction under way can still get in front of.
 */
export function sealNext(
  database: Database,
  platformId: string,
  { key, most }: { key: Buffer; most: number },
): Promise<AuditSeal | null> {
  return database.asPlatform<AuditSeal | null>(platformId, async (tx) => {
    const statements = auditStatements(tx);
    const [previous = beginning] = await statements.lastSeal.execute({ platformId });
    const { lastTxid: txid, lastId: id } = previous;
    const [entries, sealedAt] = await Promise.all([
      statements.settledEntries.execute({ platformId, txid, id, most }),
      databaseTime(tx),
    ]);
    const said = over(entries, previous, key);
    if (!said) return null;
    const unhashed = { platformId, ...said, sealedAt };
    const seal = { ...unhashed, hash: hashOf(unhashed, key) };
    return withCommit([statements.insertSeal.execute(seal)], ([inserted]) =>
      inserted.length === 0 ? null : told(seal),
    );
  });
}

/** What is told of a seal. */
export function told({ platformId, number, count, hash }: Seal): AuditSeal {
  return { platformId, number, count, hash: hash.toString("hex") };
}

/** What a seal says of the entries that it covers and of the seal that it follows. */
function over(entries: readonly Entry[], previous: Pick<Seal, "number" | "hash">, key: Buffer) {
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
