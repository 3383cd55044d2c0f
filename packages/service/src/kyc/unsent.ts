import { Failure, ReasonError } from "@cardbridge/domain";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { kycRecords } from "../database/schema.ts";
import { perConnection, type Tx } from "../database/statements.ts";

/** The workers send some of the records within this time. */
const retryAfterSeconds = 5;

const statements = perConnection((tx) => {
  const unsent = tx
    .select({ one: sql`1`.as("one") })
    .from(kycRecords)
    .where(
      and(
        eq(kycRecords.platformId, sql.placeholder("platformId")),
        eq(kycRecords.resolution, sql`'unresolved'`),
        eq(kycRecords.step, sql`'send'`),
        isNull(kycRecords.leaseUntil),
        isNotNull(kycRecords.dueAt),
      ),
    )
    .limit(sql.placeholder("max"))
    .as("unsent");
  return {
    count: tx
      .select({ count: sql<number>`count(*)`.mapWith(Number) })
      .from(unsent)
      .prepare("kyc_count_unsent"),
  };
});

/**
 * Rejects another unsent record of a platform. Concurrent submissions do not see each other, so they can exceed the
 * limit by their number.
 * @throws Failure RATE_LIMITED if the platform has `max` unsent records.
 */
export async function refuseBeyond(tx: Tx, platformId: string, max: number | undefined): Promise<void> {
  if (max === undefined) return;
  const [row] = await statements(tx).count.execute({ platformId, max });
  if ((row?.count ?? 0) < max) return;
  throw new Failure("RATE_LIMITED", { retryAfterSeconds, cause: new ReasonError("too-many-unsent") });
}
