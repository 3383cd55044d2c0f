import { checkExpiry, type ExpiryCheck, type Policies, reasonOf } from "@cardbridge/domain";
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { kycHistory, kycRecords, users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { decryptSubmission } from "../encryption/submission.ts";
import type { Ports } from "../operation/ports.ts";
import { wrappedKey } from "./attempt-statements.ts";

/** When a record is due again that cannot be read, is locked, or whose worker dies. */
const lease = "1 hour";

interface Options extends Pick<Policies, "expiryNoticeDays"> {
  limit: number;
  /** The database's time by default. */
  at?: Date;
}

/**
 * Looks at the documents of up to `limit` due approved records: stores the state of each document and when to look again,
 * and writes the events of those that expire or have expired (gap G44). A record that cannot be read is observed and due
 * again in an hour. Returns the number of leased records.
 * @throws Failure SERVICE_UNAVAILABLE.
 */
export async function checkDocuments(
  { database, personalDataKeys, observer }: Pick<Ports, "database" | "personalDataKeys" | "observer">,
  { expiryNoticeDays, limit, at }: Options,
): Promise<number> {
  const { ring } = await personalDataKeys();
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<Leased>(
      sql`select platform_id as "platformId", record_id as "kycRecordId", (extract(epoch from leased_at) * 1000)::float8 as time
        from lease_documents(${limit}, ${lease}::interval, ${at?.toISOString() ?? null}::timestamptz)`,
    ),
  );
  const present = new Date(rows[0]?.time ?? 0);
  const errors: unknown[] = [];
  for (const [platformId, leased] of Map.groupBy(rows, (row) => row.platformId)) {
    try {
      const unread = await database.asPlatform<Unread[]>(platformId, async (tx) => {
        const looked = (await lockRecords(tx, platformId, leased)).map((record) =>
          look(record, { platformId, ring, at: present, expiryNoticeDays }),
        );
        const checks = looked.filter((one) => "documentExpiry" in one);
        return pipelineCommit([writeChecks(tx, platformId, checks)], () =>
          looked.filter((one) => "reason" in one),
        );
      });
      for (const labels of unread) observer.observe("kyc_not_loaded", { ...labels });
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return rows.length;
}

interface Leased extends Record<string, unknown> {
  platformId: string;
  kycRecordId: string;
  /** When it was leased, in milliseconds since 1970. */
  time: number;
}

interface Unread {
  kycRecordId: string;
  reason: string;
}

interface Check extends ExpiryCheck {
  kycRecordId: string;
}

/** A later approval replaces this one, also if the provider has revoked it (`standingApproval`). */
const isReplaced = sql<boolean>`exists (
  select from kyc_records as later
  where later.user_id = ${kycRecords.userId} and later.created_at > ${kycRecords.createdAt}
    and (later.status = 'APPROVED' or later.approved_at is not null)
)`;

/** Skips records that are locked, because a transaction that holds locks must not wait for others. */
function lockRecords(tx: Tx, platformId: string, leased: readonly Leased[]) {
  const ids = leased.map(({ kycRecordId }) => kycRecordId);
  return tx
    .select({
      kycRecordId: kycRecords.id,
      userId: kycRecords.userId,
      encrypted: kycRecords.encrypted,
      isReplaced,
      wrappedKey,
    })
    .from(kycRecords)
    .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
    .where(
      and(
        eq(kycRecords.platformId, platformId),
        inArray(kycRecords.id, ids),
        eq(kycRecords.status, "APPROVED"),
      ),
    )
    .orderBy(asc(kycRecords.id))
    .for("no key update", { of: kycRecords, skipLocked: true });
}

type LockedRecord = Awaited<ReturnType<typeof lockRecords>>[number];

/** The check of a document. The record of an erased user has no submission, and a replaced approval has no expiry. */
function look(
  { kycRecordId, encrypted, isReplaced, ...owner }: LockedRecord,
  {
    platformId,
    ring,
    at,
    expiryNoticeDays,
  }: { platformId: string; ring: KeyRing; at: Date; expiryNoticeDays: number },
): Check | Unread {
  if (encrypted === null || isReplaced) return { kycRecordId, documentExpiry: null, checkAt: null };
  try {
    const submission = decryptSubmission(encrypted, { platformId, kycRecordId, ...owner }, ring);
    return { kycRecordId, ...checkExpiry(submission, at, expiryNoticeDays) };
  } catch (error) {
    return { kycRecordId, reason: reasonOf(error) };
  }
}

/** Stores the checks of locked records, and the first event of each type of a record. */
function writeChecks(tx: Tx, platformId: string, checks: readonly Check[]) {
  const ids = checks.map(({ kycRecordId }) => kycRecordId);
  const states = checks.map(({ documentExpiry }) => documentExpiry);
  const times = checks.map(({ checkAt }) => checkAt?.toISOString() ?? null);
  const state = sql.raw("resolution, status, sub_status, card_account_id, revision, explanation");
  return tx.execute(sql`
    with checked as (
      update ${kycRecords} set document_expiry = looked.state, document_check_at = looked.next_at
      from unnest(${sql.param(ids)}::text[], ${sql.param(states)}::text[], ${sql.param(times)}::timestamptz[])
        as looked (record_id, state, next_at)
      where ${kycRecords.platformId} = ${platformId} and ${kycRecords.id} = looked.record_id
      returning id, ${state}, 'kyc.document_' || document_expiry as type, document_expiry
    )
    insert into ${kycHistory} (platform_id, record_id, source, ${state}, event)
    select ${platformId}, id, 'submission', ${state},
      jsonb_build_object('type', type, 'documentExpiry', document_expiry)
    from checked
    where document_expiry in ('expiring', 'expired') and not exists (
      select from ${kycHistory} as earlier
      where earlier.platform_id = ${platformId} and earlier.record_id = checked.id and earlier.event ->> 'type' = type
    )
    order by id`);
}
