import type { AskedSubmission, KycRecords } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { findPlatform } from "./find-platform.ts";
import { findStepRecord } from "./steps.ts";

/** Makes records due to query the provider. A leased record does not change: the end of its attempt reschedules it. */
export function requeues(database: Database): Pick<KycRecords, "requeue"> {
  return {
    async requeue(about) {
      const named = await find(database, about);
      if (named === null) return null;
      const { platformId, kycRecordId, userReference } = named;
      const isRecord = and(
        eq(kycRecords.platformId, platformId),
        eq(kycRecords.id, kycRecordId),
        eq(kycRecords.userId, userReference),
      );
      return database.asPlatform<Awaited<ReturnType<KycRecords["requeue"]>>>(platformId, async (tx) => {
        const requeued = tx
          .update(kycRecords)
          .set({ step: "ask", notFound: 0, dueAt: sql`clock_timestamp()` })
          .where(and(isRecord, sql`coalesce(${kycRecords.leaseUntil} <= clock_timestamp(), true)`))
          .returning({ id: kycRecords.id });
        const found = tx.select({ id: kycRecords.id }).from(kycRecords).where(isRecord);
        return pipelineCommit([requeued, found], ([due, [record]]) =>
          record ? { kycRecordId, state: due.length > 0 ? "due" : "leased" } : null,
        );
      });
    },
  };
}

async function find(database: Database, about: AskedSubmission) {
  if ("step" in about) return findStepRecord(database, about.step, about.id);
  const platformId = await findPlatform(database, about.reference);
  const { reference: kycRecordId, userReference } = about;
  return platformId === undefined ? null : { platformId, kycRecordId, userReference };
}
