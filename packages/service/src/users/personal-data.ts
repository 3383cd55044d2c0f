import { Failure, type FilePurpose, type FileType } from "@cardbridge/domain";
import { and, asc, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { files, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { namesOf } from "../encryption/user-columns.ts";
import type { Ports } from "../operation/ports.ts";

type DataPorts = Pick<Ports, "database" | "personalDataKeys">;

/** A user's names and dates as they are stored. The names are null after an erasure. */
interface StoredUser {
  memberId: string | null;
  /** Also null while another user has the e-mail (G17). */
  email: string | null;
  imported: boolean;
  createdAt: string;
  eraseRequestedAt: string | null;
  erasedAt: string | null;
}

/** A file that a user's submission uses. */
export interface StoredFile {
  fileId: string;
  purpose: FilePurpose;
  contentType: FileType;
  createdAt: string;
}

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

/**
 * A user's identifiers, null after an erasure, and dates.
 * @throws Failure USER_NOT_FOUND; SERVICE_UNAVAILABLE if the identifiers cannot be decrypted.
 */
export async function readIdentifiers(
  { database, personalDataKeys }: DataPorts,
  platformId: string,
  externalUserId: string,
): Promise<StoredUser> {
  const { ring } = await personalDataKeys();
  const row = await database.asPlatform<StoredRow | undefined>(platformId, async (tx) => {
    const found = tx
      .select(userFields)
      .from(users)
      .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId)));
    return pipelineCommit([found], ([rows]) => rows[0]);
  });
  if (!row) throw new Failure("USER_NOT_FOUND");
  const { encrypted, dataKey, keyVersion, ...dates } = row;
  const names = namesOf({ encrypted, dataKey, keyVersion }, { platformId, userId: externalUserId }, ring);
  return { memberId: names?.memberId ?? null, email: names?.email ?? null, ...dates };
}

/** The stored files of a user, oldest first. */
export function listFiles(
  { database }: DataPorts,
  platformId: string,
  externalUserId: string,
): Promise<StoredFile[]> {
  return database.asPlatform<StoredFile[]>(platformId, async (tx) => {
    const isOfUser = and(eq(files.platformId, platformId), eq(files.userId, externalUserId));
    const found = tx
      .select(fileFields)
      .from(files)
      // A file without a key is destroyed.
      .where(and(isOfUser, isNotNull(files.storedAt), isNotNull(files.dataKey)))
      .orderBy(asc(files.createdAt), asc(files.id));
    return pipelineCommit([found], ([rows]) => rows);
  });
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
