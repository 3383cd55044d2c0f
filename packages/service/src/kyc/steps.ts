import {
  AttemptSuperseded,
  type KycRecords,
  type ProviderIds,
  stepName,
  stepResult,
} from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { kycRecords, providerSteps } from "../database/schema.ts";
import { perConnection, pipelineCommit } from "../database/statements.ts";
import { ownsRecord } from "./record-fields.ts";

const { placeholder } = sql;

/** The statements of provider steps, prepared once per connection. */
const stepStatements = perConnection((tx) => {
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

/** The results of steps. Both methods check the record's attempt, so that only the attempt that owns it continues. */
export function steps(database: Database): Pick<KycRecords, "findStep" | "keepStep"> {
  return {
    findStep: (platformId, { kycRecordId, attempt }, name) =>
      database.asPlatform(platformId, async (tx) => {
        const found = stepStatements(tx).findStep.execute({ platformId, kycRecordId, attempt, name });
        return pipelineCommit([found], ([[row]]) => {
          if (!row) throw new AttemptSuperseded();
          return row.result ?? undefined;
        });
      }),

    async keepStep(platformId, { kycRecordId, attempt }, name, result) {
      const row = { name: stepName.parse(name), result: stepResult.parse(result) };
      await database.asPlatform<void>(platformId, async (tx) => {
        const kept = stepStatements(tx).keepStep.execute({ platformId, kycRecordId, attempt, ...row });
        return pipelineCommit([kept], ([rows]) => {
          if (rows.length === 0) throw new AttemptSuperseded();
        });
      });
    },
  };
}

/** The record that has a step with a given provider id. */
interface StepRecord {
  platformId: string;
  kycRecordId: string;
  userReference: string;
}

/** Finds the latest record that has a step with this id, before the platform is known. */
export async function findStepRecord(
  database: Database,
  step: string,
  id: string,
): Promise<StepRecord | null> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ platform_id: string; record_id: string; user_id: string }>(
      sql`select platform_id, record_id, user_id from find_step_record(${step}, ${id})`,
    ),
  );
  const [row] = rows;
  return row ? { platformId: row.platform_id, kycRecordId: row.record_id, userReference: row.user_id } : null;
}

/** Finds users by the ids that the provider generated; see the port for the contract. */
export function providerIds(database: Database): ProviderIds {
  return {
    async idOf(step, userReference) {
      const { rows } = await database.withoutPlatform((tx) =>
        tx.execute<{ id: string | null }>(sql`select find_step_id(${step}, ${userReference}) as id`),
      );
      return rows[0]?.id ?? null;
    },
    userOf: async (step, id) => (await findStepRecord(database, step, id))?.userReference ?? null,
  };
}
