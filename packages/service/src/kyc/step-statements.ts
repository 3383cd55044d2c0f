import { and, eq, sql } from "drizzle-orm";
import { kycRecords, providerSteps } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";
import { ownsRecord } from "./record-fields.ts";

const { placeholder } = sql;

/** The statements of provider steps, prepared once per connection. */
export const stepStatements = perConnection((tx) => {
  const owned = tx
    .$with("owned")
    .as(
      tx
        .select({ platformId: kycRecords.platformId, recordId: kycRecords.id, attempt: kycRecords.attempt })
        .from(kycRecords)
        .where(ownsRecord)
        .for("no key update"),
    );

  return {
    // A superseded attempt gets no row. The owning attempt gets a null result if none is stored.
    findStep: tx
      .select({ result: providerSteps.result })
      .from(kycRecords)
      .leftJoin(
        providerSteps,
        and(
          eq(providerSteps.platformId, kycRecords.platformId),
          eq(providerSteps.recordId, kycRecords.id),
          eq(providerSteps.name, placeholder("name")),
        ),
      )
      .where(ownsRecord)
      .prepare("kyc_find_step"),

    // Locks the record first, so that no other attempt can lease it in between.
    keepStep: tx
      .with(owned)
      .insert(providerSteps)
      .select(
        tx
          .select({
            platformId: owned.platformId,
            recordId: owned.recordId,
            name: sql`${placeholder("name")}::text`.as("name"),
            attempt: owned.attempt,
            result: sql`${placeholder("result")}::jsonb`.as("result"),
            keptAt: sql`clock_timestamp()`.as("kept_at"),
          })
          .from(owned),
      )
      .onConflictDoUpdate({
        target: [providerSteps.platformId, providerSteps.recordId, providerSteps.name],
        set: {
          attempt: sql`excluded.attempt`,
          result: sql`excluded.result`,
          keptAt: sql`excluded.kept_at`,
        },
      })
      .returning({ name: providerSteps.name })
      .prepare("kyc_keep_step"),
  };
});
