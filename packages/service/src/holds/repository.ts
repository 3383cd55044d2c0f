import type { Holds, LegalHold } from "@cardbridge/domain";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { holdColumns } from "../database/schema/holds.ts";
import { holds, kycRecords, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { pipelineCommit } from "../database/transaction.ts";
import { erasureState } from "../users/show-user.ts";

/** The insertable columns of holds. Drizzle's insert lists every column of its table, granted or not. */
const newHolds = pgTable("holds", holdColumns());

const isActive = sql<boolean>`(${holds.liftedAt} is null and coalesce(${holds.until} > clock_timestamp(), true))`;

const select = (tx: Tx) =>
  tx
    .select({
      holdId: holds.id,
      externalUserId: holds.userId,
      kycRecordId: holds.recordId,
      reference: holds.reference,
      active: isActive,
      until: shownMoment(sql`${holds.until}`) as SQL<string | null>,
      placedBy: holds.placedBy,
      placedAt: shownMoment(sql`${holds.placedAt}`),
      liftedBy: holds.liftedBy,
      liftedAt: shownMoment(sql`${holds.liftedAt}`) as SQL<string | null>,
      erasure: erasureState,
    })
    .from(holds)
    .innerJoin(users, and(eq(users.platformId, holds.platformId), eq(users.id, holds.userId)));

/** Manages legal holds; see the port for the contract. */
export function holdsRepository(database: Database): Holds {
  const show = (tx: Tx, platformId: string, holdId: string) =>
    select(tx).where(and(eq(holds.platformId, platformId), eq(holds.id, holdId)));

  return {
    place: (platformId, { holdId, externalUserId, kycRecordId, reference, until, placedBy }) =>
      database.asPlatform<LegalHold | null>(platformId, async (tx) => {
        const userOfRecord = tx
          .select({ id: kycRecords.userId })
          .from(kycRecords)
          .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId ?? "")));
        // erase_users locks its users: the hold is placed before its check, or after the erasure.
        const [user] = await tx
          .select({ id: users.id })
          .from(users)
          .where(
            and(
              eq(users.platformId, platformId),
              externalUserId === undefined ? inArray(users.id, userOfRecord) : eq(users.id, externalUserId),
            ),
          )
          .for("key share");
        if (!user) return null;
        const hold = { id: holdId, platformId, userId: user.id, recordId: kycRecordId ?? null };
        const placed = tx
          .insert(newHolds)
          .values({ ...hold, reference, until: until === null ? null : new Date(until), placedBy });
        return pipelineCommit([placed, show(tx, platformId, holdId)], ([, rows]) => rows[0] ?? null);
      }),

    find: (platformId, holdId) =>
      database.asPlatform(platformId, async (tx) =>
        pipelineCommit([show(tx, platformId, holdId)], ([rows]) => rows[0] ?? null),
      ),

    lift: (platformId, holdId, liftedBy) =>
      database.asPlatform<LegalHold | null>(platformId, async (tx) => {
        const lifted = tx.execute(sql`select lift_hold(${holdId}, ${liftedBy})`);
        return pipelineCommit([lifted, show(tx, platformId, holdId)], ([, rows]) => rows[0] ?? null);
      }),

    list: (platformId, { externalUserId, active, limit }) =>
      database.asPlatform(platformId, async (tx) => {
        const listed = select(tx)
          .where(
            and(
              eq(holds.platformId, platformId),
              externalUserId === undefined ? undefined : eq(holds.userId, externalUserId),
              active ? isActive : undefined,
            ),
          )
          .orderBy(desc(holds.placedAt), desc(holds.id))
          .limit(limit);
        return pipelineCommit([listed], ([rows]) => rows);
      }),
  };
}
