import { type ImportOutcome, importedUsers, importUsersInput } from "@cardbridge/domain";
import { and, eq, inArray, or } from "drizzle-orm";
import { users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { isEqualIndex } from "../encryption/blind-index.ts";
import { createDataKey } from "../encryption/data-key.ts";
import { userColumns } from "../encryption/user-columns.ts";
import { forOperators } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleUserReference } from "./user.ts";

/** Imports one batch of a platform's existing users. */
export const importUsers = defineOperation({
  ...forOperators("ops.users.write"),
  id: "users.import",
  kind: "write",
  summary: "Import users",
  description:
    "Imports up to 200 users of a platform in one transaction. Existing users stay unchanged. Repeating a batch is " +
    "safe.",
  input: importUsersInput,
  rules: [],
  output: importedUsers,
  example: {
    input: {
      platformId: exampleUserReference.platformId,
      users: [{ memberId: "erin", email: "erin@example.com" }],
    },
    output: { outcomes: [{ outcome: "created" }] },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  // `run` audits each new user in the transaction of the import.
  audit: ["PLATFORM_NOT_FOUND"],

  async run({ database, personalDataKeys, ids }, call, { users: newUsers }) {
    const { platformId } = call;
    const keys = await personalDataKeys();
    const rows = newUsers.map(({ memberId, email, externalUserId }) => {
      const id = externalUserId ?? ids.externalUserId();
      const columns = userColumns(keys, { platformId, userId: id }, { memberId, email }, createDataKey());
      return { id, platformId, imported: true, ...columns };
    });
    if (rows.length === 0) return { data: { outcomes: [] } };
    const outcomes = await database.asPlatform<ImportOutcome[]>(platformId, async (tx) => {
      // Two users of one import may be the same: the first is created, and the second then matches it.
      const inserted = await tx.insert(users).values(rows).onConflictDoNothing().returning({ id: users.id });
      const createdIds = new Set(inserted.map(({ id }) => id));
      const existing = await findMatches(tx, platformId, rows);
      const audited = inserted.map(({ id }) => audit(tx, call, id));
      return pipelineCommit(audited, () =>
        rows.map((row, index): ImportOutcome => {
          // The first row with an id is the row that was inserted.
          if (createdIds.delete(row.id)) return { outcome: "created" };
          return outcomeOf(row, existing, newUsers[index]?.externalUserId !== undefined);
        }),
      );
    });
    return { data: { outcomes } };
  },
});

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
