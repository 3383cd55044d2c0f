import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { platforms } from "./platforms.ts";
import { operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

export const users = pgTable(
  "users",
  {
    /** The externalUserId, unique across platforms because it identifies the user at the card provider. */
    id: text("id").primaryKey(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    /** Keyed hashes that find a user; see blindIndex. */
    memberIdIndex: bytea("member_id_index"),
    /** Also null while another user has the e-mail (G17). */
    emailIndex: bytea("email_index"),
    /** The submitted member id and the e-mail (or null), encrypted under the user's data key. */
    encrypted: bytea("encrypted"),
    /** The user's data key, wrapped under this version of the key ring. */
    dataKey: bytea("data_key"),
    keyVersion: integer("key_version"),
    /** Whether the user was imported with these identifiers. No other user can take over the e-mail (G17). */
    imported: boolean("imported").notNull().default(true),
    createdAt: moment("created_at").notNull().defaultNow(),
    eraseRequestedAt: moment("erase_requested_at"),
    /** An erased user keeps the id but has no personal data. */
    erasedAt: moment("erased_at"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    unique("users_member").on(table.platformId, table.memberIdIndex),
    unique("users_email").on(table.platformId, table.emailIndex),
    unique("users_of_platform").on(table.platformId, table.id),
    index("users_key_version").on(table.keyVersion).where(sql`${table.keyVersion} is not null`),
    index("users_to_erase")
      .on(table.eraseRequestedAt)
      .where(sql`${table.eraseRequestedAt} is not null and ${table.erasedAt} is null`),
    index("users_erased").on(table.erasedAt).where(sql`${table.erasedAt} is not null`),
    index("users_to_expire").on(table.createdAt).where(sql`${table.eraseRequestedAt} is null`),
    check(
      "users_whole_until_erased",
      sql`case when erased_at is null then num_nonnulls(member_id_index, encrypted, data_key, key_version) = 4 else num_nonnulls(member_id_index, email_index, encrypted, data_key, key_version) = 0 end`,
    ),
    ownerTask("check_encryption_keys"),
    ownerTask("rewrap"),
    ownerTask("erase"),
    ownerTask("sweep_users"),
    ownerTask("read_webhooks", "select"),
  ],
);
