import { and, eq, sql } from "drizzle-orm";
import { idempotencyKeys } from "../schema.ts";
import { perConnection } from "../statements.ts";
import { keyRow } from "./rows.ts";

const given = sql.placeholder;

/** The statements behind idempotency keys, prepared once per connection. */
export const idempotencyStatements = perConnection((tx) => {
  const isIt = and(
    eq(idempotencyKeys.platformId, given("platformId")),
    eq(idempotencyKeys.operation, given("operation")),
    eq(idempotencyKeys.keyHash, given("keyHash")),
  );
  return {
    // Waits for another claim of the same key to end, and then changes nothing.
    insertKey: tx
      .insert(idempotencyKeys)
      .values(keyRow)
      .onConflictDoNothing()
      .prepare("idempotency_insert_key"),

    findKey: tx
      .select({ fingerprint: idempotencyKeys.fingerprint, kycRecordId: idempotencyKeys.recordId })
      .from(idempotencyKeys)
      .where(isIt)
      .prepare("idempotency_find_key"),

    pointKey: tx
      .update(idempotencyKeys)
      .set({ recordId: sql`${given("kycRecordId")}` })
      .where(isIt)
      .prepare("idempotency_point_key"),
  };
});
