import type { Actor, ImportedUser, ImportOutcome } from "@cardbridge/domain";
import { and, eq, inArray, or } from "drizzle-orm";
import { note } from "../audit/statements.ts";
import type { Database } from "../database.ts";
import { users } from "../schema.ts";
import { mintDataKey } from "../sealing/data-key.ts";
import type { Keys } from "../sealing/keys.ts";
import { keyGate } from "../sealing/known-keys.ts";
import { sealUser } from "../sealing/user.ts";
import type { Tx } from "../statements.ts";
import { withCommit } from "../transaction.ts";

/** A user to be imported; the id is taken where none is given. */
export type Newcomer = ImportedUser & { mintedId: string };

/**
 * Imports users of one platform, in one transaction with the audit's entries of those who are new. Returns
 * what became of each, in their order. What is there already stays as it is.
 * @throws Failure SERVICE_UNAVAILABLE where the keys are not the database's, or the database is away.
 */
export async function importUsers(
  database: Database,
  keys: Keys,
  platformId: string,
  newcomers: readonly Newcomer[],
  by: Actor,
): Promise<ImportOutcome[]> {
  await keyGate(database, keys)();
  if (newcomers.length === 0) return [];
  const rows = newcomers.map(({ memberId, email, externalUserId, mintedId }) => {
    const id = externalUserId ?? mintedId;
    const owner = { platformId, userId: id };
    return { id, platformId, ...sealUser(keys, owner, { memberId, email }, mintDataKey()) };
  });
  return database.asPlatform<ImportOutcome[]>(platformId, async (tx) => {
    // Several of one file may be the same user: the first is made, and the others then find it.
    const made = await tx.insert(users).values(rows).onConflictDoNothing().returning({ id: users.id });
    const created = new Set(made.map(({ id }) => id));
    const found = await findThose(tx, platformId, rows);
    const notes = made.map(({ id }) =>
      note(tx, platformId, { ...by, act: "user.import", subject: id, outcome: "done" }),
    );
    return withCommit(notes, () =>
      rows.map((row, index): ImportOutcome => {
        // Each id is made once, by the first row that has it.
        if (created.delete(row.id)) return "created";
        return outcomeOf(row, found, newcomers[index]?.externalUserId !== undefined);
      }),
    );
  });
}

type Row = Pick<typeof users.$inferSelect, "id" | "memberIdIndex" | "emailIndex">;

/** Everybody of the platform who has an id or a name of one of these. */
function findThose(tx: Tx, platformId: string, rows: readonly Row[]): Promise<Row[]> {
  const { id, memberIdIndex, emailIndex } = users;
  const named = or(
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
    .where(and(eq(users.platformId, platformId), named));
}

function outcomeOf(row: Row, found: readonly Row[], hasId: boolean): ImportOutcome {
  const byMemberId = found.find((other) => same(other.memberIdIndex, row.memberIdIndex));
  const byEmail = found.find((other) => same(other.emailIndex, row.emailIndex));
  if (byMemberId && byMemberId === byEmail) {
    return hasId && byMemberId.id !== row.id ? { taken: "externalUserId" } : "unchanged";
  }
  if (byMemberId) return { taken: "memberId" };
  // Nobody of the platform has it: the id is another's, perhaps of another platform.
  return { taken: byEmail ? "email" : "externalUserId" };
}

function same(a: Buffer | null, b: Buffer | null): boolean {
  return a !== null && b !== null && a.equals(b);
}
