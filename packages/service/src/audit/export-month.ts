import type { AuditFile } from "@cardbridge/domain";
import { endOfMonth, monthOf } from "@cardbridge/domain";
import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { auditCheckpoints, auditEntries, auditExports, auditReads } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { beginning } from "./create-checkpoint.ts";
import { exportHashOf } from "./digest.ts";
import { type AuditExport, lastExport, newExports } from "./exports.ts";
import type { Position } from "./statements.ts";
import { type Batch, readBatch } from "./verify-batch.ts";

interface Options {
  key: Buffer;
  month: string;
  actor: string;
}

/** The first and the last checkpoint of a file, and the checkpoint before. */
interface Range {
  first: number;
  last: number;
  recorded: AuditExport | undefined;
}

/** Exports a platform's month; see the port for the contract. The format is in docs/operate/retention.md. */
export async function exportMonth(
  database: Database,
  platformId: string,
  { key, month, actor }: Options,
  open: () => Promise<AuditFile>,
): Promise<{ checkpoints: number; entries: number; digest: string } | { problem: string } | null> {
  const range = await database.asPlatform<Range | { problem: string } | null>(platformId, (tx) =>
    findRange(tx, platformId, month),
  );
  if (range === null || "problem" in range) return range;
  const { first, last, recorded } = range;
  const file = await open();
  try {
    await file.append(lineOf({ format: "cardbridge-audit-1", platformId, month, first, last }));
    let entries = 0;
    let lastHash: Buffer = Buffer.alloc(0);
    for (let after = first - 1; after < last; ) {
      const from = { key, after, upTo: last };
      const batch = await database.asPlatform<Batch>(platformId, (tx) => readBatch(tx, platformId, from));
      const end = batch.checkpoints.at(-1);
      if (!end || batch.problems.length > 0)
        return { problem: `The audit is invalid. ${batch.problems[0] ?? `Checkpoint ${last} is missing.`}` };
      for (const [index, checkpoint] of batch.checkpoints.entries()) {
        const covered = batch.entries[index] ?? [];
        const lines = [lineOf({ checkpoint }), ...covered.map((entry) => lineOf({ entry }))];
        await file.append(lines.join(""));
        entries += covered.length;
      }
      after = end.number;
      lastHash = end.hash;
    }
    const digest = await file.finish();
    const content = {
      platformId,
      month: `${month}-01`,
      firstNumber: first,
      lastNumber: last,
      lastHash,
      entries,
      digest: Buffer.from(digest, "hex"),
      exportedBy: recorded?.exportedBy ?? actor,
    };
    const row = { ...content, hash: exportHashOf(content, key) };
    if (recorded && !recorded.hash.equals(row.hash))
      return { problem: "The entries differ from those of the earlier export of this month." };
    if (!recorded)
      await database.asPlatform(platformId, async (tx) => void (await tx.insert(newExports).values(row)));
    return { checkpoints: last - first + 1, entries, digest };
  } finally {
    await file.discard();
  }
}

async function findRange(
  tx: Tx,
  platformId: string,
  month: string,
): Promise<Range | { problem: string } | null> {
  const [recorded] = await tx
    .select()
    .from(auditExports)
    .where(and(eq(auditExports.platformId, platformId), eq(auditExports.month, `${month}-01`)));
  if (recorded?.droppedAt) return { problem: "The month was dropped." };
  if (recorded) return { first: recorded.firstNumber, last: recorded.lastNumber, recorded };
  const end = new Date(endOfMonth(month));
  const pendingReads = await tx
    .select({ day: auditReads.day })
    .from(auditReads)
    .where(and(eq(auditReads.platformId, platformId), lt(auditReads.day, end.toISOString().slice(0, 10))))
    .limit(1);
  if (pendingReads.length > 0)
    return { problem: "Counts of reads are not written yet. A worker writes them two days after the month." };
  const previous = await lastExport(tx, platformId, { dropped: false });
  const [anchor = beginning] = await checkpoints(tx, platformId, previous?.lastNumber ?? 0);
  const [firstEntry] = await entriesAfter(tx, platformId, anchor).orderBy(
    asc(auditEntries.txid),
    asc(auditEntries.id),
  );
  if (!firstEntry || firstEntry.at >= end) return null;
  const firstMonth = monthOf(firstEntry.at);
  if (firstMonth < month && firstMonth > (previous?.month.slice(0, 7) ?? ""))
    return { problem: `Export ${firstMonth} first.` };
  const [lastEntry] = await entriesAfter(tx, platformId, anchor, end).orderBy(
    desc(auditEntries.txid),
    desc(auditEntries.id),
  );
  if (!lastEntry) return null;
  const [last] = await tx
    .select({ number: auditCheckpoints.number })
    .from(auditCheckpoints)
    .where(
      and(
        eq(auditCheckpoints.platformId, platformId),
        gt(auditCheckpoints.number, anchor.number),
        sql`(${auditCheckpoints.lastTxid}, ${auditCheckpoints.lastId}) >= (${lastEntry.txid}::bigint, ${lastEntry.id}::bigint)`,
      ),
    )
    .orderBy(asc(auditCheckpoints.number))
    .limit(1);
  if (!last) return { problem: "Entries of the month have no checkpoint yet. Try again in a minute." };
  return { first: anchor.number + 1, last: last.number, recorded: undefined };
}

const checkpoints = (tx: Tx, platformId: string, number: number) =>
  tx
    .select()
    .from(auditCheckpoints)
    .where(and(eq(auditCheckpoints.platformId, platformId), eq(auditCheckpoints.number, number)));

/** One entry after a checkpoint, before a time if it is given. */
function entriesAfter(
  tx: Tx,
  platformId: string,
  { lastTxid, lastId }: { lastTxid: Position["txid"]; lastId: Position["id"] },
  before?: Date,
) {
  return tx
    .select({ txid: auditEntries.txid, id: auditEntries.id, at: auditEntries.at })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.platformId, platformId),
        sql`(${auditEntries.txid}, ${auditEntries.id}) > (${lastTxid}::bigint, ${lastId}::bigint)`,
        before && lt(auditEntries.at, before),
      ),
    )
    .limit(1);
}

/** A line of JSON. Columns without a value are left out, as in the hashes. */
function lineOf(value: object): string {
  const text = JSON.stringify(value, function (name, parsed) {
    const raw = (this as Record<string, unknown>)[name];
    if (raw === null) return undefined;
    if (typeof raw === "bigint") return String(raw);
    return Buffer.isBuffer(raw) ? raw.toString("hex") : parsed;
  });
  return `${text}\n`;
}
