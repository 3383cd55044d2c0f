import { and, eq, sql } from "drizzle-orm";
import { idempotencyKeys } from "../database/schema.ts";
import { perConnection } from "../database/statements.ts";
import { keyRow } from "./insert-rows.ts";

const { placeholder } = sql;

/** The row of a key. Without a key its values are null, and it matches no row. */
export const isKey = and(
  eq(idempotencyKeys.platformId, placeholder("platformId")),
  eq(idempotencyKeys.operation, placeholder("operation")),
  eq(idempotencyKeys.keyHash, placeholder("keyHash")),
);

/** The statements of idempotency keys, prepared once per connection. */
export const idempotencyStatements = perConnection((tx) => {
  return {
    // Waits for a concurrent submission of the same key to end, then inserts nothing.
    insertKey: tx
      .insert(idempotencyKeys)
      .values(keyRow)
      .onConflictDoNothing()
      .prepare("idempotency_insert_key"),

    findKey: tx
      .select({ fingerprint: idempotencyKeys.fingerprint, kycRecordId: idempotencyKeys.recordId })
      .from(idempotencyKeys)
      .where(isKey)
      .prepare("idempotency_find_key"),

    updateKey: tx
      .update(idempotencyKeys)
      .set({ recordId: sql`${placeholder("kycRecordId")}` })
      .where(isKey)
      .prepare("idempotency_update_key"),
  };
});
