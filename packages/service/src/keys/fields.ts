import { type KeyFacts, type Scope, scope } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";

/** The fields of KeyFacts, by the column names that the keys table and `list_api_keys` share. */
export const keyFields = {
  keyId: sql<string>`id`,
  platformId: sql<string>`platform_id`,
  name: sql<string>`name`,
  prefix: sql<string>`prefix`,
  scopes: sql`scopes`.mapWith(knownScopes),
  state: sql<KeyFacts["state"]>`case when revoked_at is not null then 'revoked'
    when expires_at <= clock_timestamp() then 'expired' else 'live' end`,
  createdAt: shownMoment(sql`created_at`),
  createdBy: sql<string | null>`created_by`,
  expiresAt: shownMoment(sql`expires_at`) as SQL<string | null>,
  revokedAt: shownMoment(sql`revoked_at`) as SQL<string | null>,
  lastUsedAt: shownMoment(sql`last_used_at`) as SQL<string | null>,
};

/** Omits scopes that this version does not define. */
export function knownScopes(scopes: readonly string[]): Scope[] {
  return scope.options.filter((known) => scopes.includes(known));
}
