import type { ComparedFiles, ListedBlobs } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";

const pageSize = 5_000;
/** The names of blobs of files. The store has other objects too, such as the log of erasures. */
const blobName = /^[0-9a-f]{32,}$/;

/** Compares the files of all platforms with the blobs of the file store, both ways. */
export async function compareFiles(
  database: Database,
  blobs: Pick<ListedBlobs, "list">,
): Promise<ComparedFiles> {
  const files = new Map<string, { id: string; required: boolean }>();
  for await (const { blob_name, ...file } of rowsOf(database)) files.set(blob_name, file);
  const total = files.size;
  const orphans: string[] = [];
  let count = 0;
  for await (const name of blobs.list()) {
    if (!blobName.test(name)) continue;
    count += 1;
    if (!files.delete(name)) orphans.push(name);
  }
  const missing = [...files.values()].filter(({ required }) => required).map(({ id }) => id);
  return { files: total, blobs: count, missing, orphans };
}

async function* rowsOf(database: Database) {
  for (let after = ""; ; ) {
    const { rows } = await database.withoutPlatform((tx) =>
      tx.execute<{ id: string; blob_name: string; required: boolean }>(
        sql`select id, blob_name, required from list_blobs(${after}, ${pageSize})`,
      ),
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.id;
  }
}
