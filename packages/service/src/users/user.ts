import { Failure, standingApproval, type UserFacts, type UserName } from "@cardbridge/domain";
import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { renewalFields } from "../database/renewal-fields.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { kycRecords, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import type { Ports } from "../operation/ports.ts";

/** Whether an erasure of the user is requested or done. */
export const erasureState = sql<UserFacts["erasure"]>`case when ${users.erasedAt} is not null then 'erased'
  when ${users.eraseRequestedAt} is not null then 'requested' else 'none' end`;

const userFields = {
  platformId: users.platformId,
  externalUserId: users.id,
  createdAt: shownMoment(sql`${users.createdAt}`),
  erasure: erasureState,
  version: sql<string>`user_version(${users.platformId}, ${users.id})`,
  held: sql<boolean>`is_held(${users.platformId}, ${users.id})`,
};

const recordFields = {
  kycRecordId: kycRecords.id,
  resolution: kycRecords.resolution,
  status: kycRecords.status,
  ...renewalFields,
  createdAt: shownMoment(sql`${kycRecords.createdAt}`),
  needsAttentionSince: shownMoment(sql`${kycRecords.needsAttentionSince}`) as SQL<string | null>,
  approvedAt: kycRecords.approvedAt,
};

/**
 * A user with their records, newest first, without personal data.
 * @throws Failure USER_NOT_FOUND.
 */
export async function readUser(
  { database, personalDataKeys }: Pick<Ports, "database" | "personalDataKeys">,
  platformId: string,
  name: UserName,
): Promise<UserFacts> {
  const keys = await personalDataKeys();
  return database.asPlatform<UserFacts>(platformId, async (tx) => {
    const [user] = await tx
      .select(userFields)
      .from(users)
      .where(and(eq(users.platformId, platformId), hasName(keys, platformId, name)));
    if (!user) throw new Failure("USER_NOT_FOUND");
    const records = tx
      .select(recordFields)
      .from(kycRecords)
      .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.userId, user.externalUserId)))
      .orderBy(desc(kycRecords.createdAt), desc(kycRecords.id));
    return pipelineCommit([records], ([rows]) => ({
      ...user,
      standingApproval: standingApproval(rows)?.kycRecordId ?? null,
      records: rows.map(({ approvedAt: _, ...record }) => record),
    }));
  });
}

/** @throws Failure PROPOSAL_CONFLICT if the user is not at the version that the caller saw. */
export function requireVersion(user: UserFacts, version: string | undefined): void {
  if (version === undefined || user.version === version) return;
  const message = "The user has changed. Read the user again.";
  throw new Failure("PROPOSAL_CONFLICT", { violations: [{ path: ["version"], rule: "changed", message }] });
}

function hasName(keys: PersonalDataKeys, platformId: string, name: UserName) {
  if ("externalUserId" in name) return eq(users.id, name.externalUserId);
  const column = "email" in name ? users.emailIndex : users.memberIdIndex;
  return eq(column, blindIndex(keys, platformId, name));
}

export const exampleUser: UserFacts = {
  platformId: "plt_01jexample0000000000000000",
  externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
  createdAt: "2026-01-31T12:00:00.000Z",
  erasure: "none",
  held: false,
  version: "0123456789abcdef",
  standingApproval: "kyc_01jexample0000000000000000",
  records: [
    {
      kycRecordId: "kyc_01jexample0000000000000000",
      resolution: "answered",
      status: "APPROVED",
      documentExpiry: "valid",
      renews: null,
      createdAt: "2026-01-31T12:00:00.000Z",
      needsAttentionSince: null,
    },
  ],
};

export const exampleUserReference = {
  platformId: exampleUser.platformId,
  externalUserId: exampleUser.externalUserId,
};
