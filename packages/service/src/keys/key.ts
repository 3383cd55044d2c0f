import { type KeyFacts, type Scope, scope } from "@cardbridge/domain";
import { eq, type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { apiKeys } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";

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

/** Selects a key of the transaction's platform, without its hash. */
export const selectKey = (tx: Tx, keyId: string) =>
  tx.select(keyFields).from(apiKeys).where(eq(apiKeys.id, keyId));

export const exampleKey: KeyFacts = {
  keyId: "key_01jexample0000000000000000",
  platformId: "plt_01jexample0000000000000000",
  name: "backend",
  prefix: "cb_live_k3Yx",
  scopes: ["cards:read"],
  state: "live",
  createdAt: "2026-01-31T12:00:00.000Z",
  createdBy: "claim:ada",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

/** The key itself, shortened. */
export const exampleSecret = "cb_live_k3Yx…";
