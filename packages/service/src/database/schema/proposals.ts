import { type ProposalKind, proposalKinds } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { check, foreignKey, index, pgTable, text } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns.ts";
import { holds } from "./holds.ts";
import { kycRecords } from "./kyc-records.ts";
import { oneOf, operatorsRead, ownerTask, platformIsolation } from "./policies.ts";
import { users } from "./users.ts";

/** The columns that an insert sets. The service's role may write no other columns. */
export const proposalColumns = () => ({
  id: text("id").primaryKey(),
  platformId: text("platform_id").notNull(),
  userId: text("user_id").notNull(),
  /** The record of an approval, or of the hold to lift. */
  recordId: text("record_id"),
  /** The hold to lift. */
  holdId: text("hold_id"),
  kind: text("kind").$type<ProposalKind>().notNull(),
  /** Who proposed it, as the audit names the actor. */
  actor: text("actor").notNull(),
  /** The person who proposed it; null for the command line. */
  proposer: text("proposer"),
  /** The version of the subject that the proposer saw; see the function proposal_version. */
  seen: text("seen").notNull(),
  /** The evidence of an approval: the SHA-256 in hexadecimal. */
  evidenceHash: text("evidence_hash"),
  /** The act and the note, encrypted under the user's data key and bound to this row; null after an erasure. */
  encrypted: bytea("encrypted"),
});

/** Acts that need two persons. The service only inserts rows, and only the function decide_proposal decides one. */
export const proposals = pgTable(
  "proposals",
  {
    ...proposalColumns(),
    proposedAt: moment("proposed_at").notNull().default(sql`clock_timestamp()`),
    expiresAt: moment("expires_at").notNull().default(sql`clock_timestamp() + interval '24 hours'`),
    decision: text("decision").$type<"confirmed" | "withdrawn">(),
    /** The person who confirmed it. */
    confirmer: text("confirmer"),
    /** The person who withdrew it; null also for the command line. */
    withdrawer: text("withdrawer"),
    decidedAt: moment("decided_at"),
  },
  (table) => [
    platformIsolation(table.platformId),
    operatorsRead(table.platformId),
    foreignKey({
      name: "proposals_user",
      columns: [table.platformId, table.userId],
      foreignColumns: [users.platformId, users.id],
    }).onDelete("cascade"),
    foreignKey({
      name: "proposals_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }).onDelete("cascade"),
    foreignKey({ name: "proposals_hold", columns: [table.holdId], foreignColumns: [holds.id] }).onDelete(
      "cascade",
    ),
    index("proposals_newest").on(table.proposedAt, table.id),
    index("proposals_undecided").on(table.expiresAt).where(sql`${table.decision} is null`),
    index("proposals_of_user").on(table.platformId, table.userId),
    index("proposals_of_record")
      .on(table.platformId, table.recordId)
      .where(sql`${table.recordId} is not null`),
    index("proposals_of_hold").on(table.holdId).where(sql`${table.holdId} is not null`),
    oneOf("proposals_kind", table.kind, proposalKinds),
    oneOf("proposals_decision", table.decision, ["confirmed", "withdrawn"]),
    check("proposals_two_persons", sql`proposer <> confirmer`),
    check("proposals_decided_at", sql`num_nonnulls(decision, decided_at) in (0, 2)`),
    check("proposals_confirmer", sql`(confirmer is not null) = (decision is not distinct from 'confirmed')`),
    check(
      "proposals_subject",
      sql`(kind = 'liftHold') = (hold_id is not null) and (kind = 'approve') = (evidence_hash is not null) and (kind <> 'approve' or record_id is not null)`,
    ),
    ownerTask("read_proposals", "select"),
    ownerTask("sweep_openings", "select"),
    ownerTask("erase"),
  ],
);
