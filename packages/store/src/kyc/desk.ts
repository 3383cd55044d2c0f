import {
  type Actor,
  applyManualDecision,
  type KycAdmin,
  type LeaseResult,
  type RecordChange,
} from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { note } from "../audit/statements.ts";
import type { Database } from "../database.ts";
import { kycRecords } from "../schema.ts";
import { withCommit } from "../transaction.ts";
import { adminView } from "./desk-view.ts";
import { platformOf } from "./platform-of.ts";
import { kycStatements } from "./statements.ts";
import { store } from "./store.ts";
import { theOneRow } from "./the-one-row.ts";

const isOwned = sql<boolean>`coalesce(${kycRecords.leaseUntil} > clock_timestamp(), false)`;
const notFound = sql`not_found_after_lease(${kycRecords.leaseUntil}, ${kycRecords.step}, ${kycRecords.notFound})`;

export interface KycAdminOptions {
  /** How long a person's attempt owns its record, in seconds; longer than a call to the provider may take. */
  leaseSeconds: number;
  /** Who sits there, for the audit: what they do is noted in the transaction that does it. */
  by: Actor;
}

/** What people do with KYC records by hand; see the port for the contract. */
export function kycAdmin(database: Database, { leaseSeconds, by }: KycAdminOptions): KycAdmin {
  const leaseEnd = sql`clock_timestamp() + ${`${leaseSeconds} seconds`}::interval`;
  return {
    ...adminView(database),

    async take(kycRecordId, how) {
      const platformId = await platformOf(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<LeaseResult>(platformId, async (tx) => {
        const unchanged =
          how.step === "send"
            ? and(eq(kycRecords.settlement, "unsettled"), eq(kycRecords.attempt, how.after))
            : undefined;
        const [taken] = await tx
          .update(kycRecords)
          .set({
            attempt: sql`${kycRecords.attempt} + 1`,
            step: how.step,
            notFound,
            leaseUntil: leaseEnd,
            // Held or decided: no worker takes it, now or after the lease.
            dueAt: sql`case when ${kycRecords.dueAt} is null then null else ${leaseEnd} end`,
          })
          .where(and(isIt(platformId, kycRecordId), sql`not ${isOwned}`, unchanged))
          .returning({ attempt: kycRecords.attempt });
        if (taken) {
          const act = how.step === "ask" ? "record.ask" : "record.resend";
          const noted = note(tx, platformId, { ...by, act, subject: kycRecordId, outcome: "done" });
          const { attempt } = taken;
          return withCommit([noted], () => ({ kind: "leased", platformId, kycRecordId, attempt }));
        }
        const owner = await tx
          .select({ owned: isOwned, leaseUntil: kycRecords.leaseUntil })
          .from(kycRecords)
          .where(isIt(platformId, kycRecordId));
        const { owned, leaseUntil } = theOneRow(owner);
        return { kind: "busy", until: owned ? leaseUntil : null };
      });
    },

    async settle(kycRecordId, word) {
      const platformId = await platformOf(database, kycRecordId);
      if (platformId === undefined) return null;
      return database.asPlatform<RecordChange>(platformId, async (tx) => {
        const before = theOneRow(await kycStatements(tx).lockRecord.execute({ platformId, kycRecordId }));
        const settled = applyManualDecision(before, word);
        const done = { ...by, act: "record.settle", subject: kycRecordId, outcome: "done" } as const;
        const stored = () => store(tx, { platformId, record: settled, source: "person" });
        const writes = settled === before ? [] : [...stored(), note(tx, platformId, done)];
        return withCommit(writes, () => ({ before, record: settled }));
      });
    },
  };
}

function isIt(platformId: string, kycRecordId: string) {
  return and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId));
}
