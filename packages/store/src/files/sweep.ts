import type { Blobs, Files } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database.ts";

/**
 * Destroys files: first the key, in one transaction, then the blob, then the row. A sweep that dies in between
 * leaves rows without a key, which the next ones find again.
 */
export function sweeping(database: Database, blobs: Blobs): Pick<Files, "sweep"> {
  return {
    async sweep(limit) {
      const given = await database.withoutPlatform((tx) =>
        tx.execute<{ id: string; blob_name: string }>(sql`select id, blob_name from expire_files(${limit})`),
      );
      const gone: string[] = [];
      for (const { id, blob_name: blobName } of given.rows) {
        await blobs.delete(blobName);
        gone.push(id);
      }
      if (gone.length > 0) {
        await database.withoutPlatform((tx) =>
          tx.execute(sql`select delete_expired_files(${sql.param(gone)}::text[])`),
        );
      }
      return gone.length;
    },
  };
}
