import { endOfMonth, monthOf } from "@cardbridge/domain";
import { and, asc, desc, eq, getTableColumns, gt, isNotNull, lt, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { auditExportColumns, auditExports } from "../database/schema/audit.ts";
import { auditCheckpoints, auditEntries, auditReads } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { beginning } from "./checkpoint.ts";
import { exportHashOf } from "./digest.ts";

/** The insertable columns of audit_exports. Drizzle's insert lists every column of its table, granted or not. */
export const newExports = pgTable("audit_exports", auditExportColumns());

export type AuditExport = typeof newExports.$inferSelect;

const { exportedAt: _exportedAt, droppedAt: _droppedAt, ...columns } = getTableColumns(auditExports);

/** When an exported month ends. */
export const endOfExport = (month: string) => new Date(endOfMonth(month.slice(0, 7))).toISOString();

/** The last exported month of a platform, or the last dropped one. */
export async function lastExport(
  tx: Tx,
  platformId: string,
  { dropped }: { dropped: boolean },
): Promise<AuditExport | undefined> {
  const rows = await tx
    .select(columns)
    .from(auditExports)
    .where(
      and(eq(auditExports.platformId, platformId), dropped ? isNotNull(auditExports.droppedAt) : undefined),
    )
    .orderBy(desc(auditExports.lastNumber))
    .limit(1);
  return rows[0];
}

/** Whether the service recorded the export, with its key. */
export function isGenuineExport({ hash, ...content }: AuditExport, key: Buffer): boolean {
  return exportHashOf(content, key).equals(hash);
}

/** The first and the last checkpoint of a file, and the export if there is one. */
export interface ExportRange {
  first: number;
  last: number;
  recorded: AuditExport | undefined;
}

/**
 * The checkpoints of a platform's month: those that follow the last exported one, up to the last one with an entry of the
 * month; those of the earlier export for a month that is exported. Null if there are none.
 */
export async function findExportRange(
  tx: Tx,
  platformId: string,
  month: string,
): Promise<ExportRange | { problem: string } | null> {
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
  const [anchor = beginning] = await tx
    .select()
    .from(auditCheckpoints)
    .where(
      and(
        eq(auditCheckpoints.platformId, platformId),
        eq(auditCheckpoints.number, previous?.lastNumber ?? 0),
      ),
    );
  const [firstEntry] = await entryAfter(tx, platformId, anchor).orderBy(
    asc(auditEntries.txid),
    asc(auditEntries.id),
  );
  if (!firstEntry || firstEntry.at >= end) return null;
  const firstMonth = monthOf(firstEntry.at);
  if (firstMonth < month && firstMonth > (previous?.month.slice(0, 7) ?? ""))
    return { problem: `Export ${firstMonth} first.` };
  const [lastEntry] = await entryAfter(tx, platformId, anchor, end).orderBy(
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

/** One entry after a checkpoint, before a time if it is given. */
function entryAfter(
  tx: Tx,
  platformId: string,
  { lastTxid, lastId }: { lastTxid: bigint; lastId: bigint },
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
