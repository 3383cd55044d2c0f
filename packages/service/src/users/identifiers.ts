import { Failure, userIdentifiers, userIdentifiersQuery } from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { namesOf } from "../encryption/user-columns.ts";
import { forPersons } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import type { Ports } from "../operation/ports.ts";
import { exampleUserReference } from "./user.ts";

/** Reveals a user's identifiers, for a purpose. */
export const revealUserIdentifiers = defineOperation({
  ...forPersons("ops.evidence"),
  id: "users.identifiers",
  kind: "write",
  summary: "Reveal a user's identifiers",
  description: "Reveals a user's e-mail and member id for a purpose, which the audit keeps.",
  input: userIdentifiersQuery,
  rules: [],
  output: userIdentifiers,
  example: {
    input: { ...exampleUserReference, purpose: "person" },
    output: {
      externalUserId: exampleUserReference.externalUserId,
      email: "erin@example.com",
      memberId: "erin",
    },
  },
  errors: ["PERSON_REQUIRED", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],
  audit: ["done", "PLATFORM_NOT_FOUND", "USER_NOT_FOUND"],

  async run(ports, call, { platformId, externalUserId }) {
    requirePerson(call);
    const user = await readStoredUser(ports, platformId, externalUserId);
    if (!user) throw new Failure("USER_NOT_FOUND");
    const { email, memberId } = user;
    return { data: { externalUserId, email, memberId }, subject: externalUserId };
  },
});

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

const dates = {
  imported: users.imported,
  createdAt: shownMoment(sql`${users.createdAt}`),
  eraseRequestedAt: shownMoment(sql`${users.eraseRequestedAt}`) as SQL<string | null>,
  erasedAt: shownMoment(sql`${users.erasedAt}`) as SQL<string | null>,
};

/**
 * Reads a user's names, decrypted, and dates. Null if the platform has no such user.
 * @throws Failure SERVICE_UNAVAILABLE if the names cannot be decrypted.
 */
export async function readStoredUser(
  { database, personalDataKeys }: Pick<Ports, "database" | "personalDataKeys">,
  platformId: string,
  externalUserId: string,
): Promise<StoredUser | null> {
  const { ring } = await personalDataKeys();
  const row = await database.asPlatform(platformId, async (tx) => {
    const found = tx
      .select({
        columns: { encrypted: users.encrypted, dataKey: users.dataKey, keyVersion: users.keyVersion },
        dates,
      })
      .from(users)
      .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId)));
    return pipelineCommit([found], ([rows]) => rows[0] ?? null);
  });
  if (!row) return null;
  const names = namesOf(row.columns, { platformId, userId: externalUserId }, ring);
  return { memberId: names?.memberId ?? null, email: names?.email ?? null, ...row.dates };
}
