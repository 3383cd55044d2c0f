import type { EmailOwner } from "@cardbridge/domain";
import { and, desc, eq, sql } from "drizzle-orm";
import { kycHistory, kycRecords } from "../database/schema.ts";
import { perConnection, type Tx } from "../database/statements.ts";
import type { LockedUser } from "./lock.ts";

const { placeholder } = sql;

const statements = perConnection((tx) => {
  const isOfUser = and(
    eq(kycRecords.platformId, placeholder("platformId")),
    eq(kycRecords.userId, placeholder("userId")),
  );
  const records = () =>
    tx
      .select({ resolution: kycRecords.resolution, status: kycRecords.status })
      .from(kycRecords)
      .where(isOfUser)
      .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id));
  return {
    // A concurrent verdict waits for the lock, then sees that the user no longer has an e-mail.
    lockRecords: records().for("no key update").prepare("users_lock_records"),
    latestRecord: records().limit(1).prepare("users_latest_record"),

    everApproved: tx
      .select({ recordId: kycHistory.recordId })
      .from(kycHistory)
      .innerJoin(
        kycRecords,
        and(eq(kycRecords.platformId, kycHistory.platformId), eq(kycRecords.id, kycHistory.recordId)),
      )
      .where(and(isOfUser, eq(kycHistory.status, "APPROVED")))
      .limit(1)
      .prepare("users_ever_approved"),
  };
});

/** Reads the facts that decide whether another user may take over a locked user's e-mail, and locks their records. */
export function readEmailOwner(tx: Tx, platformId: string, user: LockedUser): Promise<EmailOwner> {
  return read(tx, platformId, user, "lockRecords");
}

/** Reads the same facts without locks. */
export function previewEmailOwner(tx: Tx, platformId: string, user: LockedUser): Promise<EmailOwner> {
  return read(tx, platformId, user, "latestRecord");
}

async function read(
  tx: Tx,
  platformId: string,
  { id: userId, imported }: LockedUser,
  records: "lockRecords" | "latestRecord",
): Promise<EmailOwner> {
  const id = { platformId, userId };
  const prepared = statements(tx);
  const [[latest], approvals] = await Promise.all([
    prepared[records].execute(id),
    prepared.everApproved.execute(id),
  ]);
  return { latest, everApproved: approvals.length > 0, imported };
}
