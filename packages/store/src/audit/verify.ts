import type { AuditSeal } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { Keys } from "../sealing/keys.ts";
import type { Entry, Seal } from "./digest.ts";
import {
  beginsBehind,
  isGenuine,
  type Link,
  problemsOfEntries,
  problemsOfKnown,
  problemsOfSeal,
} from "./problems.ts";
import { beginning, told } from "./seal.ts";
import { auditStatements } from "./statements.ts";

export interface VerifyOptions {
  keys: Pick<Keys, "audit">;
  /** A seal of this platform as it was told earlier: shows that the chain was not cut off behind it. */
  known?: Pick<AuditSeal, "number" | "hash"> | undefined;
  /** Told now and again how much was looked at so far. */
  onProgress?: ((done: Pick<AuditReport, "seals" | "entries">) => void) | undefined;
}

export interface AuditReport {
  seals: number;
  /** How many entries are under seals. */
  entries: number;
  /** How many are not sealed yet: nothing can be said of these. */
  unsealed: number;
  last: AuditSeal | null;
  /** What is wrong, in words; nothing where the chain holds. */
  problems: string[];
}

/** So many seals are read at once, each with its entries. */
const pageSize = 20;

/** Holds a platform's entries against their seals, from the first to the last, page by page. */
export async function verifyAudit(
  database: Database,
  platformId: string,
  { keys, known, onProgress = () => {} }: VerifyOptions,
): Promise<AuditReport> {
  const key = keys.audit;
  const report: AuditReport = { seals: 0, entries: 0, unsealed: 0, last: null, problems: [] };
  let last: Link["previous"] = { ...beginning, isGenuine: true };
  let met: Seal | undefined;

  const next = () => readPage(database, { platformId, last, key });
  for (let page = await next(); page.length > 0; page = await next()) {
    for (const { link, entries } of page) {
      const { seal } = link;
      report.problems.push(...problemsOfSeal(link));
      if (link.isGenuine) report.problems.push(...problemsOfEntries(seal, entries, key));
      report.seals += 1;
      report.entries += entries.length;
      report.last = told(seal);
      last = { ...seal, isGenuine: link.isGenuine };
      if (seal.number === known?.number) met = seal;
    }
    onProgress({ seals: report.seals, entries: report.entries });
  }
  if (known) report.problems.push(...problemsOfKnown(known, met));
  report.unsealed = await countBehind(database, platformId, last);
  return report;
}

interface Page {
  platformId: string;
  /** The last seal of the page before. */
  last: Link["previous"];
  key: Buffer;
}

function readPage(database: Database, { platformId, last, key }: Page) {
  return database.asPlatform(platformId, async (tx): Promise<{ link: Link; entries: Entry[] }[]> => {
    const statements = auditStatements(tx);
    const { number } = last;
    const seals = await statements.sealsBehind.execute({ platformId, number, most: pageSize });
    const judged = seals.map((seal) => ({ seal, isGenuine: isGenuine(seal, key) }));
    return Promise.all(
      judged.map(async ({ seal, isGenuine }, index) => {
        const before = judged[index - 1];
        const previous = before ? { ...before.seal, isGenuine: before.isGenuine } : last;
        const link = { seal, isGenuine, previous };
        const { lastTxid, lastId, count } = seal;
        // One more than there should be tells that some were added. What a changed seal says counts for nothing.
        const range = { ...beginsBehind(link), lastTxid, lastId, most: isGenuine ? count + 1 : 0 };
        return { link, entries: await statements.entriesUpTo.execute({ platformId, ...range }) };
      }),
    );
  });
}

function countBehind(database: Database, platformId: string, last: Pick<Seal, "lastTxid" | "lastId">) {
  const { lastTxid: txid, lastId: id } = last;
  return database.asPlatform(platformId, async (tx) => {
    const [counted] = await auditStatements(tx).countBehind.execute({ platformId, txid, id });
    return counted?.count ?? 0;
  });
}
