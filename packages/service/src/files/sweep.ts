import { sql } from "drizzle-orm";
import type { Ports } from "../operation/ports.ts";

/**
 * Destroys up to `limit` expired files, files of erased users, and partial blobs of aborted uploads: first their keys in
 * one transaction, then each blob, then the rows. A row whose blob could not be deleted remains without a key, and a later
 * sweep retries it. Returns the number of destroyed files.
 * @throws Failure SERVICE_UNAVAILABLE.
 */
export async function sweepFiles(
  { database, blobs }: Pick<Ports, "database" | "blobs">,
  limit: number,
): Promise<number> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ id: string; blob_name: string }>(sql`select id, blob_name from expire_files(${limit})`),
  );
  const deleted: string[] = [];
  const errors: unknown[] = [];
  for (const { id, blob_name: blobName } of rows) {
    await blobs.delete(blobName).then(
      () => deleted.push(id),
      (error: unknown) => errors.push(error),
    );
  }
  if (deleted.length > 0) {
    await database.withoutPlatform((tx) =>
      tx.execute(sql`select delete_expired_files(${sql.param(deleted)}::text[])`),
    );
  }
  if (errors.length > 0) throw errors[0];
  return deleted.length;
}
