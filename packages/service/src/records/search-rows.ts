import { type RecordRow, statusOf } from "@cardbridge/domain";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { kycAttempts, kycRecords, platforms, recordAssignments } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";

/** The fields of records whose assignee has no name yet, in the order of the ids. */
export async function readRows(tx: Tx, kycRecordIds: readonly string[]) {
  if (kycRecordIds.length === 0) return [];
  const last = tx
    .select({
      outcome: kycAttempts.outcome,
      reason: kycAttempts.reason,
      at: shownMoment(sql`${kycAttempts.lastStartedAt}`).as("at"),
      count: kycAttempts.count,
    })
    .from(kycAttempts)
    .where(and(eq(kycAttempts.platformId, kycRecords.platformId), eq(kycAttempts.recordId, kycRecords.id)))
    .orderBy(desc(kycAttempts.number))
    .limit(1)
    .as("last");
  const rows = await tx
    .select({
      kycRecordId: kycRecords.id,
      platformId: kycRecords.platformId,
      platformName: platforms.name,
      externalUserId: kycRecords.userId,
      resolution: kycRecords.resolution,
      status: kycRecords.status,
      subStatus: kycRecords.subStatus,
      explanation: kycRecords.explanation,
      createdAt: shownMoment(sql`${kycRecords.createdAt}`),
      dueAt: shownMoment(sql`${kycRecords.dueAt}`) as SQL<string | null>,
      needsAttentionSince: shownMoment(sql`${kycRecords.needsAttentionSince}`) as SQL<string | null>,
      lastAttempt: { outcome: last.outcome, reason: last.reason, at: last.at, count: last.count },
      assignee: recordAssignments.assignee,
      assignmentVersion: recordAssignments.version,
    })
    .from(kycRecords)
    .innerJoin(platforms, eq(platforms.id, kycRecords.platformId))
    .leftJoin(
      recordAssignments,
      and(
        eq(recordAssignments.platformId, kycRecords.platformId),
        eq(recordAssignments.recordId, kycRecords.id),
      ),
    )
    .leftJoinLateral(last, sql`true`)
    .where(inArray(kycRecords.id, [...kycRecordIds]));
  const byId = new Map(rows.map((row) => [row.kycRecordId, row]));
  return kycRecordIds.flatMap((id) => byId.get(id) ?? []);
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

/** Adds the names of the assignees. */
export async function nameAssignees(ports: NamePorts, rows: readonly Row[]): Promise<RecordRow[]> {
  const nameOf = await namedPersons(
    ports,
    rows.map(({ assignee }) => assignee),
  );
  return rows.map(({ explanation, assignee, assignmentVersion, ...row }) => ({
    ...row,
    status: statusOf(row),
    reasons: explanation?.reasons.map(({ code }) => code) ?? [],
    assignee: nameOf(assignee),
    assignmentVersion: assignmentVersion ?? 0,
  }));
}
