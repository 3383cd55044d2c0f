import type { AuditOrigin, ImportOutcome, NewUser } from "@cardbridge/domain";
import { and, eq, inArray, or } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { isEqualIndex } from "../encryption/blind-index.ts";
import { createDataKey } from "../encryption/data-key.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { userColumns } from "../encryption/user-columns.ts";
import { appendEntry } from "../operation/audit.ts";

interface Import {
  platformId: string;
  users: readonly NewUser[];
  by: AuditOrigin;
}

/** Imports users of one platform in one transaction, with an audit entry for each new user. */
export async function importUsers(
  database: Database,
  keys: PersonalDataKeys,
  { platformId, users: newUsers, by }: Import,
): Promise<ImportOutcome[]> {
  if (newUsers.length === 0) return [];
  const rows = newUsers.map(({ memberId, email, externalUserId, generatedId }) => {
    const id = externalUserId ?? generatedId;
    const owner = { platformId, userId: id };
    return {
      id,
      platformId,
      imported: true,
      ...userColumns(keys, owner, { memberId, email }, createDataKey()),
    };
  });
  return database.asPlatform<ImportOutcome[]>(platformId, async (tx) => {
    // Two users of one import may be the same: the first is created, and the second then matches it.
    const inserted = await tx.insert(users).values(rows).onConflictDoNothing().returning({ id: users.id });
    const createdIds = new Set(inserted.map(({ id }) => id));
    const existing = await findMatches(tx, platformId, rows);
    const audited = inserted.map(({ id }) =>
      appendEntry(tx, platformId, { ...by, subject: id, outcome: "done" }),
    );
    return pipelineCommit(audited, () =>
      rows.map((row, index): ImportOutcome => {
        // The first row with an id is the row that was inserted.
        if (createdIds.delete(row.id)) return { outcome: "created" };
        return outcomeOf(row, existing, newUsers[index]?.externalUserId !== undefined);
      }),
    );
  });
}

type Row = Pick<typeof users.$inferSelect, "id" | "memberIdIndex" | "emailIndex">;

/** The platform's users who share an id or a name with one of the rows. */
function findMatches(tx: Tx, platformId: string, rows: readonly Row[]): Promise<Row[]> {
  const { id, memberIdIndex, emailIndex } = users;
  const isMatch = or(
    inArray(
      id,
      rows.map((row) => row.id),
    ),
    inArray(
      memberIdIndex,
      rows.flatMap((row) => row.memberIdIndex ?? []),
    ),
    inArray(
      emailIndex,
      rows.flatMap((row) => row.emailIndex ?? []),
    ),
  );
  return tx
    .select({ id, memberIdIndex, emailIndex })
    .from(users)
    .where(and(eq(users.platformId, platformId), isMatch));
}

function outcomeOf(row: Row, existing: readonly Row[], hasExternalUserId: boolean): ImportOutcome {
  const byMemberId = existing.find((other) => isEqualIndex(other.memberIdIndex, row.memberIdIndex));
  const byEmail = existing.find((other) => isEqualIndex(other.emailIndex, row.emailIndex));
  if (byMemberId && byMemberId === byEmail) {
    return hasExternalUserId && byMemberId.id !== row.id ? taken("externalUserId") : { outcome: "unchanged" };
  }
  if (byMemberId) return taken("memberId");
  // Both names are free, so the id belongs to another user, possibly on another platform.
  return taken(byEmail ? "email" : "externalUserId");
}

function taken(field: "memberId" | "email" | "externalUserId"): ImportOutcome {
  return { outcome: "taken", field };
}
