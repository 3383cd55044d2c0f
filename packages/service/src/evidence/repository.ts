import type { AuditOrigin, Evidence, KycSubmission, RestrictedReason } from "@cardbridge/domain";
import { filesOf } from "@cardbridge/domain";
import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { evidenceOpenings, kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import type { KeySet } from "../encryption/keys.ts";
import { decryptSubmission } from "../encryption/submission.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { findPlatform } from "../kyc/find-platform.ts";

interface EvidenceOptions {
  keys: KeySet;
  /** The id of an uploaded file by its URL; null or undefined for another URL. */
  fileIdOf(url: string): string | null | undefined;
}

const openingFields = {
  openingId: evidenceOpenings.id,
  auditId: sql<string>`${evidenceOpenings.auditId}::text`,
  platformId: evidenceOpenings.platformId,
  kycRecordId: evidenceOpenings.recordId,
  openedAt: shownMoment(sql`${evidenceOpenings.openedAt}`),
  expiresAt: shownMoment(sql`${evidenceOpenings.expiresAt}`),
};

/** Reads evidence through functions that audit each read; see the port for the contract. */
export function evidenceRepository(database: Database, { keys, fileIdOf }: EvidenceOptions): Evidence {
  const verifiedKeys = createVerifiedKeys(database, keys);

  async function covered(kycRecordId: string): ReturnType<Evidence["covered"]> {
    const { ring } = await verifiedKeys();
    const platformId = await findPlatform(database, kycRecordId);
    if (platformId === undefined) return null;
    const row = await database.asPlatform<StoredSubmission | null>(platformId, async (tx) => {
      const found = tx
        .select({
          fingerprint: kycRecords.fingerprint,
          encrypted: kycRecords.encrypted,
          userId: users.id,
          dataKey: users.dataKey,
          keyVersion: users.keyVersion,
        })
        .from(kycRecords)
        .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
        .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
      return pipelineCommit([found], ([rows]) => rows[0] ?? null);
    });
    return row && { platformId, ...readSubmission(row, { platformId, kycRecordId }, ring) };
  }

  /** Audits a read of restricted reasons, and returns the position of the entry. */
  function auditReading(platformId: string, kycRecordId: string, by: AuditOrigin) {
    const { actor, operation, requestId, address } = by;
    return database.asPlatform<Position>(platformId, async (tx) => {
      const inserted = tx.execute<Position>(
        sql`insert into audit_entries (platform_id, actor, operation, subject, outcome, request_id, address)
            values (${platformId}, ${actor}, ${operation}, ${kycRecordId}, 'done', ${requestId}, ${address})
            returning txid::text, id::text`,
      );
      return pipelineCommit([inserted], ([{ rows }]) => requireRow(rows, "entry"));
    });
  }

  return {
    async open({ kycRecordId, openingId, personId, purpose, evidenceHash, by }) {
      const { ring } = await verifiedKeys();
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      const { actor, requestId, address } = by;
      const row = await database.asPlatform<OpenedRow | null>(platformId, async (tx) => {
        const opened = tx.execute<OpenedRow>(
          sql`select audit_id::text as "auditId", opened_at as "openedAt", expires_at as "expiresAt", version, fingerprint,
                encrypted, user_id as "userId", data_key as "dataKey", key_version as "keyVersion"
              from open_evidence(${openingId}, ${kycRecordId}, ${personId}, ${purpose}, ${actor}, ${requestId}, ${address}, ${evidenceHash})`,
        );
        return pipelineCommit([opened], ([{ rows }]) => rows[0] ?? null);
      });
      if (!row) return null;
      const { auditId, openedAt, expiresAt, version, ...stored } = row;
      return {
        ...{ kycRecordId, platformId, openingId, auditId, version },
        openedAt: new Date(openedAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
        submission: readSubmission(stored, { platformId, kycRecordId }, ring).submission,
      };
    },

    async opening(openingId, { kycRecordId, personId }) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform(platformId, async (tx) => {
        const found = tx
          .select(openingFields)
          .from(evidenceOpenings)
          .innerJoin(
            kycRecords,
            and(
              eq(kycRecords.platformId, evidenceOpenings.platformId),
              eq(kycRecords.id, evidenceOpenings.recordId),
            ),
          )
          .where(
            and(
              eq(evidenceOpenings.platformId, platformId),
              eq(evidenceOpenings.id, openingId),
              eq(evidenceOpenings.recordId, kycRecordId),
              eq(evidenceOpenings.personId, personId),
              gt(evidenceOpenings.expiresAt, sql`clock_timestamp()`),
              // An erasure closes the record's openings.
              isNotNull(kycRecords.encrypted),
            ),
          );
        return pipelineCommit([found], ([rows]) => rows[0] ?? null);
      });
    },

    async hasOpened({ kycRecordId, personId, evidenceHash }) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return false;
      return database.asPlatform<boolean>(platformId, async (tx) => {
        const found = tx.execute<{ opened: boolean }>(
          sql`select has_opened_evidence(${platformId}, ${kycRecordId}, ${personId}, ${evidenceHash}) as opened`,
        );
        return pipelineCommit([found], ([{ rows }]) => requireRow(rows, "answer").opened);
      });
    },

    async uses({ kycRecordId }, fileId) {
      const { submission } = (await covered(kycRecordId)) ?? {};
      return submission ? filesOf(submission).some(({ url }) => fileIdOf(url) === fileId) : false;
    },

    covered,

    async restrictedReasons(kycRecordId, by) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      // The database reads them for a committed entry only, so that a rollback cannot remove it.
      const entry = await auditReading(platformId, kycRecordId, by);
      const reasons = await database.asPlatform(platformId, async (tx) => {
        const read = tx.execute<{ reason: RestrictedReason; observedAt: string }>(
          sql`select reason, observed_at as "observedAt"
              from restricted_reasons(${kycRecordId}, ${entry.txid}::bigint, ${entry.id}::bigint)`,
        );
        return pipelineCommit([read], ([{ rows }]) => rows);
      });
      return {
        kycRecordId,
        reasons: reasons.map(({ reason, observedAt }) => ({
          reason,
          observedAt: new Date(observedAt).toISOString(),
        })),
      };
    },

    sweep: (limit) =>
      database.withoutPlatform(async (tx) => {
        const { rows } = await tx.execute<{ count: number }>(
          sql`select sweep_openings(${limit})::int as count`,
        );
        return rows[0]?.count ?? 0;
      }),
  };
}

// Types and not interfaces, because a row of the driver has an index signature.
/** The position of an audit entry, as texts. */
type Position = { txid: string; id: string };

type StoredSubmission = {
  fingerprint: Buffer | null;
  encrypted: Buffer | null;
  userId: string;
  dataKey: Buffer | null;
  keyVersion: number | null;
};

type OpenedRow = StoredSubmission & { auditId: string; openedAt: string; expiresAt: string; version: string };

/** Decrypts a submission. Both values are null after an erasure. */
function readSubmission(
  { fingerprint, encrypted, userId, dataKey, keyVersion }: StoredSubmission,
  record: { platformId: string; kycRecordId: string },
  ring: KeyRing,
): { fingerprint: string | null; submission: KycSubmission | null } {
  if (!fingerprint || !encrypted || !dataKey || keyVersion === null) {
    return { fingerprint: null, submission: null };
  }
  const owner = { ...record, userId, wrappedKey: { dataKey, keyVersion } };
  return {
    fingerprint: fingerprint.toString("hex"),
    submission: decryptSubmission(encrypted, owner, ring),
  };
}
