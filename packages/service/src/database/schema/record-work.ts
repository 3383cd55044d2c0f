import type { Role } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { boolean, check, foreignKey, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { kycRecords } from "./kyc-records.ts";
import { operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

/** Who works on a record. A record that was never assigned has no row and the version 0. */
export const recordAssignments = pgTable(
  "record_assignments",
  {
    platformId: text("platform_id").notNull(),
    recordId: text("record_id").notNull(),
    /** The person; null after the record is released, or with a role. */
    assignee: text("assignee"),
    /** The role whose persons find the record among theirs; null with a person. */
    role: text("role").$type<Role>(),
    /** Each assignment increments it, and names the version that it saw: of two concurrent ones, one is refused. */
    version: integer("version").notNull(),
    assignedAt: moment("assigned_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    primaryKey({ columns: [table.platformId, table.recordId] }),
    foreignKey({
      name: "record_assignments_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }).onDelete("cascade"),
    index("record_assignments_of_person")
      .on(table.assignee, table.platformId, table.recordId)
      .where(sql`${table.assignee} is not null`),
    index("record_assignments_of_role")
      .on(table.role, table.platformId, table.recordId)
      .where(sql`${table.role} is not null`),
    check("record_assignments_one", sql`num_nonnulls(assignee, role) <= 1`),
  ],
);

/** The columns that an insert sets. The service's role may write no other columns. */
export const noteColumns = () => ({
  id: text("id").primaryKey(),
  platformId: text("platform_id").notNull(),
  recordId: text("record_id").notNull(),
  /** Whether only compliance may read it. */
  restricted: boolean("restricted").notNull(),
  /** The text, encrypted under the data key of the record's user and bound to this row and its record. */
  encrypted: bytea("encrypted").notNull(),
  actor: text("actor").notNull(),
  /** The person who wrote it; null for a call without a person. */
  personId: text("person_id"),
});

/** The notes of operators about records. The service only inserts rows; an erasure deletes those about its user. */
export const recordNotes = pgTable(
  "record_notes",
  {
    ...noteColumns(),
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    platformIsolation(table.platformId),
    foreignKey({
      name: "record_notes_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }).onDelete("cascade"),
    index("record_notes_of_record").on(table.platformId, table.recordId, table.createdAt),
    ownerTask("erase"),
  ],
);
