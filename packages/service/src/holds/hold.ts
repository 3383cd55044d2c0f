import type { LegalHold } from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { holds, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { erasureState, exampleUser } from "../users/user.ts";

export const isActive = sql<boolean>`(${holds.liftedAt} is null and coalesce(${holds.until} > clock_timestamp(), true))`;

/** Selects holds with the state of their users' erasure. */
export const selectHolds = (tx: Tx) =>
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

/** Selects a hold of a platform. */
export const selectHold = (tx: Tx, platformId: string, holdId: string) =>
  selectHolds(tx).where(and(eq(holds.platformId, platformId), eq(holds.id, holdId)));

/** What a hold covers: the subject of its audit entries. */
export const heldBy = ({ kycRecordId, externalUserId }: LegalHold) => kycRecordId ?? externalUserId;

export const exampleHold: LegalHold = {
  holdId: "hold_01jexample0000000000000000",
  externalUserId: exampleUser.externalUserId,
  kycRecordId: null,
  reference: "HKMA-2027/118",
  active: true,
  until: null,
  placedBy: "claim:ada",
  placedAt: "2027-01-31T12:00:00.000Z",
  liftedBy: null,
  liftedAt: null,
  erasure: "none",
};
