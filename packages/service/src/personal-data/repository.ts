import type { PersonalData } from "@cardbridge/domain";
import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { files, kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { KeySet } from "../encryption/keys.ts";
import { namesOf } from "../encryption/user-columns.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { decryptSubmission } from "../kyc/encrypted-submission.ts";

const userFields = {
  encrypted: users.encrypted,
  dataKey: users.dataKey,
  keyVersion: users.keyVersion,
  imported: users.imported,
  createdAt: shownMoment(sql`${users.createdAt}`),
  eraseRequestedAt: shownMoment(sql`${users.eraseRequestedAt}`) as SQL<string | null>,
  erasedAt: shownMoment(sql`${users.erasedAt}`) as SQL<string | null>,
};

const fileFields = {
  fileId: files.id,
  purpose: files.purpose,
  contentType: files.contentType,
  createdAt: shownMoment(sql`${files.createdAt}`),
};

/** Reads the personal data of users; see the port for the contract. */
export function personalData(database: Database, keys: KeySet): PersonalData {
  const verifiedKeys = createVerifiedKeys(database, keys);
  return {
    async user(platformId, externalUserId) {
      const { ring } = await verifiedKeys();
      const row = await database.asPlatform<StoredRow | null>(platformId, async (tx) => {
        const found = tx
          .select(userFields)
          .from(users)
          .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId)));
        return pipelineCommit([found], ([rows]) => rows[0] ?? null);
      });
      if (!row) return null;
      const { encrypted, dataKey, keyVersion, ...dates } = row;
      const names = namesOf({ encrypted, dataKey, keyVersion }, { platformId, userId: externalUserId }, ring);
      return { memberId: names?.memberId ?? null, email: names?.email ?? null, ...dates };
    },

    async submission(platformId, kycRecordId) {
      const { ring } = await verifiedKeys();
      const row = await database.asPlatform<SubmissionRow | null>(platformId, async (tx) => {
        const found = tx
          .select({
            userId: kycRecords.userId,
            encrypted: kycRecords.encrypted,
            dataKey: users.dataKey,
            keyVersion: users.keyVersion,
          })
          .from(kycRecords)
          .innerJoin(users, and(eq(users.platformId, kycRecords.platformId), eq(users.id, kycRecords.userId)))
          .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
        return pipelineCommit([found], ([rows]) => rows[0] ?? null);
      });
      if (!row?.encrypted || !row.dataKey || row.keyVersion === null) return null;
      const { userId, encrypted, dataKey, keyVersion } = row;
      const record = { platformId, kycRecordId, userId, wrappedKey: { dataKey, keyVersion } };
      return decryptSubmission(encrypted, record, ring);
    },

    files: (platformId, externalUserId) =>
      database.asPlatform(platformId, async (tx) => {
        const isOfUser = and(eq(files.platformId, platformId), eq(files.userId, externalUserId));
        const found = tx
          .select(fileFields)
          .from(files)
          // A file without a key is destroyed.
          .where(and(isOfUser, isNotNull(files.storedAt), isNotNull(files.dataKey)))
          .orderBy(asc(files.createdAt), asc(files.id));
        return pipelineCommit([found], ([rows]) => rows);
      }),
  };
}

interface StoredRow {
  encrypted: Buffer | null;
  dataKey: Buffer | null;
  keyVersion: number | null;
  imported: boolean;
  createdAt: string;
  eraseRequestedAt: string | null;
  erasedAt: string | null;
}

type SubmissionRow = Pick<StoredRow, "encrypted" | "dataKey" | "keyVersion"> & { userId: string };
