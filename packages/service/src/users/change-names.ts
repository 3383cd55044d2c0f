import type { AuditOrigin } from "@cardbridge/domain";
import { and, eq, isNull, sql } from "drizzle-orm";
import { users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import { type Owner, unwrapDataKey } from "../encryption/data-key.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { decryptNames, encryptNames } from "../encryption/user-columns.ts";
import { appendEntry } from "../operation/audit.ts";

/** The identifiers to replace; null removes the e-mail. */
export interface ChangedNames {
  memberId?: string | undefined;
  email?: string | null | undefined;
}

/**
 * Changes a user's identifiers, encrypted again under the same data key. Returns false if the platform has no such
 * user or the user is erased. If another user has an identifier, the change violates a unique constraint.
 */
export async function changeNames(
  tx: Tx,
  keys: PersonalDataKeys,
  owner: Owner,
  { memberId, email }: ChangedNames,
): Promise<boolean> {
  const { platformId, userId } = owner;
  const [user] = await tx
    .select({
      encrypted: sql<Buffer>`${users.encrypted}`,
      dataKey: sql<Buffer>`${users.dataKey}`,
      keyVersion: sql<number>`${users.keyVersion}`,
    })
    .from(users)
    .where(and(eq(users.platformId, platformId), eq(users.id, userId), isNull(users.erasedAt)))
    .for("no key update");
  if (!user) return false;
  const dataKey = unwrapDataKey(user, owner, keys.ring);
  const old = decryptNames(user.encrypted, dataKey, owner);
  const names = { memberId: memberId ?? old.memberId, email: email === undefined ? old.email : email };
  const encrypted = encryptNames(names, dataKey, owner);
  const memberIdIndex = blindIndex(keys, platformId, { memberId: names.memberId });
  const emailIndex = names.email === null ? null : blindIndex(keys, platformId, { email: names.email });
  await tx.execute(sql`select relink_user(${userId}, ${encrypted}, ${memberIdIndex}, ${emailIndex})`);
  return true;
}

interface Move {
  platformId: string;
  email: string;
  /** The id of the locked user whose e-mail is removed. */
  from: string | undefined;
  /** The id of the locked user who receives it; undefined if the caller creates the user afterwards. */
  to: string | undefined;
}

/** Moves an e-mail between two users. A concurrent move to a third user violates a unique constraint. */
export async function moveEmail(
  tx: Tx,
  keys: PersonalDataKeys,
  { platformId, email, from, to }: Move,
): Promise<void> {
  if (from !== undefined) await changeNames(tx, keys, { platformId, userId: from }, { email: null });
  if (to !== undefined) await changeNames(tx, keys, { platformId, userId: to }, { email });
}

/** The statements that audit a change of users' e-mails. Send them with the transaction's last statements. */
export function auditMove(
  tx: Tx,
  platformId: string,
  by: AuditOrigin,
  userIds: readonly (string | undefined)[],
): Promise<unknown>[] {
  return userIds.flatMap((subject) =>
    subject === undefined ? [] : [appendEntry(tx, platformId, { ...by, subject, outcome: "done" })],
  );
}
