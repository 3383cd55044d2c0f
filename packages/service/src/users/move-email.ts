import type { AuditOrigin } from "@cardbridge/domain";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { appendEntry } from "../operation/audit.ts";
import { changeNames } from "./change-names.ts";

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
