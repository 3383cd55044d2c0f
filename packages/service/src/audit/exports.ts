import { endOfMonth } from "@cardbridge/domain";
import { and, desc, eq, getTableColumns, isNotNull } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { auditExportColumns, auditExports } from "../database/schema/audit.ts";
import type { Tx } from "../database/statements.ts";
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
