import { integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { ofAll } from "./policies.ts";

/** The columns that an insert sets. */
export const personColumns = () => ({
  id: text("id").primaryKey(),
  issuer: text("issuer").notNull(),
  /** A keyed hash of the issuer and the subject; see personIndex. The subject itself is not stored. */
  subjectIndex: bytea("subject_index").notNull(),
  /** The name, or null, encrypted under the person's data key. */
  encrypted: bytea("encrypted").notNull(),
  /** The person's data key, wrapped under this version of the key ring. */
  dataKey: bytea("data_key").notNull(),
  keyVersion: integer("key_version").notNull(),
  /** The roles in the person's last token. */
  roles: text("roles").array().notNull(),
});

/** The persons who called through internal apps. They belong to no platform. */
export const persons = pgTable(
  "persons",
  {
    ...personColumns(),
    firstSeenAt: moment("first_seen_at").notNull().defaultNow(),
    /** Updated at most once an hour, or with other roles. */
    lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
    blockedAt: moment("blocked_at"),
  },
  (table) => [ofAll("persons_of_all"), unique("persons_identity").on(table.issuer, table.subjectIndex)],
);
