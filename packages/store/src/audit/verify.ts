import type { AuditVerified, SealReference } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { Tx } from "../statements.ts";
import type { Entry, Seal } from "./digest.ts";
import {
  isGenuine,
  type Link,
  problemsOfEntries,
  problemsOfKnown,
  problemsOfSeal,
  startOf,
} from "./problems.ts";
import { beginning } from "./seal.ts";
import { auditStatements } from "./statements.ts";

/** The number of seals in a batch, each read with its entries. */
const batchSize = 20;

interface Verification {
  key: Buffer;
  /** The number of the last seal already verified; 0 from the start. */
  after: number;
  known?: SealReference | undefined;
}

/** Verifies the next seals of a platform against their entries. Reads the seal `after` again, as the first link. */
export function verifyBatch(
  database: Database,
  platformId: string,
  { key, after, known }: Verification,
): Promise<AuditVerified> {
  return database.asPlatform<AuditVerified>(platformId, async (tx) => {
    const statements = auditStatements(tx);
    const [[previousSeal], sealsAndNext] = await Promise.all([
      statements.lastSealUpTo.execute({ platformId, number: after }),
      statements.sealsBehind.execute({ platformId, number: after, limit: batchSize + 1 }),
    ]);
    const seals = sealsAndNext.slice(0, batchSize);
    const hasMore = sealsAndNext.length > batchSize;
    const links = linksOf(previousSeal, seals, key);
    const covered = await Promise.all(links.map((link) => entriesOf(tx, platformId, link)));

    const problems = links.flatMap((link, index) => [
      ...problemsOfSeal(link),
      ...(link.isGenuine ? problemsOfEntries(link.seal, covered[index] ?? [], key) : []),
    ]);
    const last = seals.at(-1);
    const isReached = (number: number) => number > after && (!hasMore || number <= (last?.number ?? 0));
    if (known && isReached(known.number)) {
      const seal = seals.find(({ number }) => number === known.number);
      problems.push(...problemsOfKnown(known, seal));
    }
    if (!last && after > (previousSeal?.number ?? 0)) {
      problems.push(`Seal ${after}, which was verified, is missing: the end of the chain was cut off.`);
    }
    return {
      seals: seals.length,
      entries: covered.reduce((sum, entries) => sum + entries.length, 0),
      last: last ? { number: last.number, hash: last.hash.toString("hex") } : null,
      problems,
      next: hasMore && last ? last.number : null,
      unsealed: hasMore ? null : await countBehind(tx, platformId, last ?? previousSeal ?? beginning),
    };
  });
}

function linksOf(previousSeal: Seal | undefined, seals: readonly Seal[], key: Buffer): Link[] {
  let previous: Link["previous"] = previousSeal
    ? { ...previousSeal, isGenuine: isGenuine(previousSeal, key) }
    : { ...beginning, isGenuine: true };
  return seals.map((seal) => {
    const link = { seal, isGenuine: isGenuine(seal, key), previous };
    previous = { ...seal, isGenuine: link.isGenuine };
    return link;
  });
}

/** The entries in the range of a seal; none for a changed seal, whose range cannot be trusted. */
function entriesOf(tx: Tx, platformId: string, link: Link): Promise<Entry[]> {
  const { lastTxid, lastId, count } = link.seal;
  // One more than the seal covers shows that entries were added.
  const limit = link.isGenuine ? count + 1 : 0;
  const range = { ...startOf(link), lastTxid, lastId, limit };
  return auditStatements(tx).entriesUpTo.execute({ platformId, ...range });
}

async function countBehind(
  tx: Tx,
  platformId: string,
  { lastTxid: txid, lastId: id }: Pick<Seal, "lastTxid" | "lastId">,
): Promise<number> {
  const [row] = await auditStatements(tx).countBehind.execute({ platformId, txid, id });
  return row?.count ?? 0;
}
