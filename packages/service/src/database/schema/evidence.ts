import { type EvidencePurpose, evidencePurpose } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { bigint, foreignKey, index, pgTable, text } from "drizzle-orm/pg-core";
import { milliseconds } from "./columns.ts";
import { kycRecords } from "./kyc-records.ts";
import { oneOf, operatorsRead, ownerTask, platformIsolation } from "./policies.ts";

/**
 * A person's openings of records' evidence. Only open_evidence writes a row, together with its audit entry. It holds ids
 * and a hash, and is deleted a day after it expired, unless an open proposal needs it.
 */
export const evidenceOpenings = pgTable(
  "evidence_openings",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id").notNull(),
    recordId: text("record_id").notNull(),
    personId: text("person_id").notNull(),
    purpose: text("purpose").$type<EvidencePurpose>().notNull(),
    /** The id of the audit entry. */
    auditId: bigint("audit_id", { mode: "bigint" }).notNull(),
    /** What was opened: the evidence's SHA-256 in hexadecimal. */
    evidenceHash: text("evidence_hash").notNull(),
    openedAt: milliseconds("opened_at").notNull().default(sql`clock_timestamp()`),
    expiresAt: milliseconds("expires_at").notNull(),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    foreignKey({
      name: "evidence_openings_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }).onDelete("cascade"),
    index("evidence_openings_of_record").on(table.platformId, table.recordId),
    index("evidence_openings_expired").on(table.expiresAt),
    oneOf("evidence_openings_purpose", table.purpose, evidencePurpose.options),
    ownerTask("sweep_openings"),
  ],
);
