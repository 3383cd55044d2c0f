import type { KycAdmin, LeaseResult, RecordChange } from "@cardbridge/domain";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { appendEntry } from "../operation/audit.ts";
import type { NamePorts } from "../persons/names.ts";
import { adminView } from "./admin-view.ts";
import { assignments } from "./assignments.ts";
import { findPlatform } from "./find-platform.ts";
import { requeued, requeueMany } from "./requeue-many.ts";
import { resolveRecord } from "./resolve.ts";
import { views } from "./views.ts";

const isLeased = sql<boolean>`coalesce(${kycRecords.leaseUntil} > clock_timestamp(), false)`;
/** `lease_due` applies the same rule. */
const notFound = sql`not_found_after_lease(${kycRecords.leaseUntil}, ${kycRecords.step}, ${kycRecords.notFound})`;

export interface KycAdminOptions {
  /** How long a manual attempt owns its record, in seconds. Must exceed the longest call to the provider. */
  leaseSeconds: number;
  names: NamePorts;
  /** Encrypt the notes of decisions. */
  keys: KeySet;
}

/** Manages KYC records for operators; see the port for the contract. */
export function kycAdmin(database: Database, { leaseSeconds, names, keys }: KycAdminOptions): KycAdmin {
  const verifiedKeys = createVerifiedKeys(database, keys);
  const leaseEnd = sql`clock_timestamp() + ${`${leaseSeconds} seconds`}::interval`;
  return {
    ...adminView(database, names),
    ...assignments(database, names),
    ...views(database, names),
    platformOf: async (kycRecordId) => (await findPlatform(database, kycRecordId)) ?? null,

    async lease(kycRecordId, manual, by) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<LeaseResult>(platformId, async (tx) => {
        const isUnchanged =
          manual.step === "send"
            ? and(eq(kycRecords.resolution, "unresolved"), eq(kycRecords.attempt, manual.after))
            : undefined;
        const [leased] = await tx
          .update(kycRecords)
          .set({
            attempt: sql`${kycRecords.attempt} + 1`,
            step: manual.step,
            notFound,
            leaseUntil: leaseEnd,
            // A record that is decided or needs attention is not due, and the end of the lease does not make it due.
            dueAt: sql`case when ${kycRecords.dueAt} is null then null else ${leaseEnd} end`,
          })
          .where(and(isRecord(platformId, kycRecordId), sql`not ${isLeased}`, isUnchanged))
          .returning({ attempt: kycRecords.attempt });
        if (leased) {
          const { attempt } = leased;
          const audited = appendEntry(tx, platformId, { ...by, subject: kycRecordId, outcome: "done" });
          return pipelineCommit([audited], () => ({ kind: "leased", platformId, kycRecordId, attempt }));
        }
        const rows = await tx
          .select({ isLeased, leaseUntil: kycRecords.leaseUntil })
          .from(kycRecords)
          .where(isRecord(platformId, kycRecordId));
        const current = requireRow(rows, "KYC record");
        return { kind: "busy", until: current.isLeased ? current.leaseUntil : null };
      });
    },

    async requeue(kycRecordId, by) {
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<boolean>(platformId, async (tx) => {
        const changed = await tx
          .update(kycRecords)
          .set(requeued)
          .where(and(isRecord(platformId, kycRecordId), isNotNull(kycRecords.needsAttentionSince)))
          .returning({ id: kycRecords.id });
        if (changed.length === 0) return false;
        const audited = appendEntry(tx, platformId, { ...by, subject: kycRecordId, outcome: "done" });
        return pipelineCommit([audited], () => true);
      });
    },

    requeueMany: requeueMany(database),

    async resolve(kycRecordId, resolution, by) {
      const { ring } = await verifiedKeys();
      const platformId = await findPlatform(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<RecordChange | "changed">(platformId, async (tx) => {
        const resolved = await resolveRecord(tx, ring, { platformId, kycRecordId, ...resolution, by });
        if (resolved === "changed") return resolved;
        const { statements, before, record } = resolved;
        if (before === record) return { before, record };
        return pipelineCommit(statements, ([approvedWithoutEmail]) => ({
          before,
          record,
          approvedWithoutEmail,
        }));
      });
    },
  };
}

function isRecord(platformId: string, kycRecordId: string) {
  return and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId));
}
