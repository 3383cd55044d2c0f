import { internalPlatformId, type Scope } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { check, pgPolicy, pgTable, text } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { platforms } from "./platforms.ts";
import { ownerTask, platformIsolation } from "./policies.ts";

/** The columns that an insert sets. The service's role may write no other columns. */
export const keyColumns = () => ({
  id: text("id").primaryKey(),
  platformId: text("platform_id")
    .notNull()
    .references(() => platforms.id),
  name: text("name").notNull(),
  /** The visible start of the key, by which people recognize it. */
  prefix: text("prefix").notNull(),
  /** SHA-256 of the key. The key itself is not stored. */
  hash: bytea("hash").notNull().unique(),
  scopes: text("scopes").array().$type<Scope[]>().notNull(),
  expiresAt: moment("expires_at"),
  /** The actor who made the key, as in the audit; null if that is not known. */
  createdBy: text("created_by"),
});

export const apiKeys = pgTable(
  "api_keys",
  {
    ...keyColumns(),
    createdAt: moment("created_at").notNull().defaultNow(),
    revokedAt: moment("revoked_at"),
    /** Updated at most once a minute. */
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [
    platformIsolation(table.platformId),
    check(
      "api_keys_admin_is_internal",
      sql`${table.platformId} = ${sql.raw(`'${internalPlatformId}'`)} or not ('admin' = any(${table.scopes}))`,
    ),
    check(
      "api_keys_operators_are_internal",
      sql`${table.platformId} = ${sql.raw(`'${internalPlatformId}'`)} or array_to_string(${table.scopes}, ' ') !~ '(^| )ops[.]'`,
    ),
    // find_api_keys, platform_of_api_key and list_api_keys run as the owner, before a platform is known.
    pgPolicy("owner_read_api_keys", { for: "select", to: "current_user", using: sql`true` }),
    ownerTask("find_api_keys", "update"),
  ],
);
