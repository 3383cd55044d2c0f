import { and, asc, eq, or, type SQL, sql } from "drizzle-orm";
import { users } from "../database/schema.ts";
import { perConnection, type Tx } from "../database/statements.ts";
import type { WrappedKey } from "../encryption/data-key.ts";

const { placeholder } = sql;

/** The blind indexes of both names. */
export type NameIndexes = { memberIdIndex: Buffer; emailIndex: Buffer };

/** A user who cannot change until the transaction ends. */
export interface LockedUser {
  id: string;
  /** How their e-mail compares with the given e-mail; `none` if another user took it over. */
  email: "same" | "other" | "none";
  erasureRequested: boolean;
  imported: boolean;
  wrappedKey: WrappedKey;
}

export interface LockedUsers {
  /** The user with the member id. */
  user: LockedUser | undefined;
  /** Another user who has the e-mail. */
  emailOwner: LockedUser | undefined;
}

const statements = perConnection((tx) => {
  const ofPlatform = eq(users.platformId, placeholder("platformId"));
  const hasMemberId = eq(users.memberIdIndex, placeholder("memberIdIndex"));
  const hasEmail = eq(users.emailIndex, placeholder("emailIndex"));
  const idsWith = (name: SQL) => tx.select({ id: users.id }).from(users).where(and(ofPlatform, name));
  // Finds each name through its own unique index. A single condition with `or`, planned while the tables were empty,
  // would read all users of the platform until the tables are analyzed.
  const sameIds = sql`any(array(${idsWith(hasMemberId).unionAll(idsWith(hasEmail))}))`;
  const named = () =>
    tx
      .select({
        id: users.id,
        memberIdIndex: users.memberIdIndex,
        emailIndex: users.emailIndex,
        imported: users.imported,
        eraseRequestedAt: users.eraseRequestedAt,
        // Typed as non-null: an erased user has no names and cannot be found.
        wrappedKey: { dataKey: sql<Buffer>`${users.dataKey}`, keyVersion: sql<number>`${users.keyVersion}` },
      })
      .from(users)
      .where(and(ofPlatform, or(hasMemberId, hasEmail), eq(users.id, sameIds)));
  return {
    lock: named().orderBy(asc(users.id)).for("no key update").prepare("users_lock"),
    find: named().prepare("users_find_named"),
  };
});

type Row = Awaited<ReturnType<ReturnType<typeof statements>["find"]["execute"]>>[number];

/**
 * Locks the users who have the names, in the order of their ids. If a name moved while the statement waited for a
 * lock, neither its old nor its new owner is returned: where that matters, the transaction has to run again.
 */
export async function lockUsers(tx: Tx, platformId: string, names: NameIndexes): Promise<LockedUsers> {
  return byNames(await statements(tx).lock.execute({ platformId, ...names }), names);
}

/** Finds the users who have the names, without locks. */
export async function findUsers(tx: Tx, platformId: string, names: NameIndexes): Promise<LockedUsers> {
  return byNames(await statements(tx).find.execute({ platformId, ...names }), names);
}

function byNames(rows: readonly Row[], names: NameIndexes): LockedUsers {
  const toUser = ({ memberIdIndex: _, emailIndex, eraseRequestedAt, ...row }: Row) => ({
    ...row,
    email: compare(emailIndex, names.emailIndex),
    erasureRequested: eraseRequestedAt !== null,
  });
  const isUser = ({ memberIdIndex }: Row) => memberIdIndex?.equals(names.memberIdIndex);
  const [user] = rows.filter((row) => isUser(row)).map(toUser);
  const [emailOwner] = rows.filter((row) => !isUser(row)).map(toUser);
  return { user, emailOwner };
}

function compare(stored: Buffer | null, given: Buffer): LockedUser["email"] {
  if (stored === null) return "none";
  return stored.equals(given) ? "same" : "other";
}
