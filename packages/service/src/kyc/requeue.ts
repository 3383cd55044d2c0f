import { type AskedSubmission, Failure } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { observeUnknown } from "../operation/observe-unknown.ts";
import { platformOf } from "../operation/platform-of.ts";
import type { Ports } from "../operation/ports.ts";
import { findStepRecord } from "./steps.ts";

/**
 * Makes the record of a provider event due, so that a worker queries its state, even if it is decided or needs attention.
 * Used for events without an order.
 * @throws Failure KYC_RECORD_NOT_FOUND; SERVICE_UNAVAILABLE while an attempt is active
 */
export async function requeueRecord(
  ports: Pick<Ports, "database" | "observer">,
  about: AskedSubmission,
): Promise<void> {
  const state = await makeDue(ports.database, about);
  if (!state) {
    await observeUnknown(ports, "reference" in about ? about.reference : undefined);
    throw new Failure("KYC_RECORD_NOT_FOUND");
  }
  // The active attempt may have sent its query before the change, so the provider has to send the event again.
  if (state === "leased") throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5 });
}

/** `leased`: an attempt owns the record, whose end reschedules it. Null if there is no such record. */
async function makeDue(database: Database, about: AskedSubmission): Promise<"due" | "leased" | null> {
  const named = await find(database, about);
  if (named === null) return null;
  const { platformId, kycRecordId, userReference } = named;
  const isRecord = and(
    eq(kycRecords.platformId, platformId),
    eq(kycRecords.id, kycRecordId),
    eq(kycRecords.userId, userReference),
  );
  return database.asPlatform<"due" | "leased" | null>(platformId, async (tx) => {
    const requeued = tx
      .update(kycRecords)
      .set({
        // A process that was frozen may still have a reply from before the event. It must not replace the answer to come.
        attempt: sql`${kycRecords.attempt} + 1`,
        step: "ask",
        notFound: 0,
        dueAt: sql`clock_timestamp()`,
      })
      .where(and(isRecord, sql`coalesce(${kycRecords.leaseUntil} <= clock_timestamp(), true)`))
      .returning({ id: kycRecords.id });
    const found = tx.select({ id: kycRecords.id }).from(kycRecords).where(isRecord);
    return pipelineCommit([requeued, found], ([due, records]) => {
      if (records.length === 0) return null;
      return due.length > 0 ? "due" : "leased";
    });
  });
}

async function find(database: Database, about: AskedSubmission) {
  if ("step" in about) return findStepRecord(database, about.step, about.id);
  const platformId = await platformOf(database, "record", about.reference);
  const { reference: kycRecordId, userReference } = about;
  return platformId === null ? null : { platformId, kycRecordId, userReference };
}
