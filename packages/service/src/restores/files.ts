import { type RestoreFinding, reasonOf } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Ports } from "../operation/ports.ts";

const pageSize = 5_000;
/** The names of blobs of files. The store has other objects too, such as the log of erasures. */
const blobName = /^[0-9a-f]{32,}$/;

/** Compares files and blobs. A lost file or a blob without a file is a note: the check removes and repairs neither. */
export async function checkFiles(ports: Pick<Ports, "database" | "blobs">): Promise<RestoreFinding> {
  const compared = await compareFiles(ports).catch(reasonOf);
  if (typeof compared === "string") {
    const found = `The file store could not be listed (${compared}), so files and blobs were not compared.`;
    return { check: "Files", result: "note", found, details: [] };
  }
  const { files, required, blobs, missing, orphans } = compared;
  const found =
    `${required} of ${files} files need a blob: the others are being stored or deleted. The file store has ${blobs} blobs. ` +
    `${missing.length} files lack theirs. ${orphans.length} blobs have no file; they stay.`;
  const details = [
    ...missing.map((fileId) => `${fileId} has no blob.`),
    ...orphans.map((name) => `The blob ${name} has no file.`),
  ];
  return { check: "Files", result: details.length === 0 ? "ok" : "note", found, details };
}

/** Compares the files of all platforms with the blobs of the file store, both ways: the ids of files whose blob is missing, and blobs without a file. */
async function compareFiles({ database, blobs }: Pick<Ports, "database" | "blobs">) {
  const files = new Map<string, { id: string; required: boolean }>();
  for await (const { blob_name, ...file } of rowsOf(database)) files.set(blob_name, file);
  const total = files.size;
  const needed = [...files.values()].filter(({ required }) => required).length;
  const orphans: string[] = [];
  let count = 0;
  for await (const name of blobs.list()) {
    if (!blobName.test(name)) continue;
    count += 1;
    if (!files.delete(name)) orphans.push(name);
  }
  const missing = [...files.values()].filter(({ required }) => required).map(({ id }) => id);
  return { files: total, required: needed, blobs: count, missing, orphans };
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
