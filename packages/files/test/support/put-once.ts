import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "@cardbridge/domain";
import { createFolderBlobs } from "../../src/blobs/folder-blobs.ts";

// Puts one blob that fits and one that is too large. Prints the outcome of the second put and the folder's content.
const [folder = "", size = "0"] = process.argv.slice(2);
const blobs = await createFolderBlobs(folder);
await blobs.put("small", Buffer.alloc(1_000));
const outcome = await blobs.put("large", Buffer.alloc(Number(size))).then(
  () => "accepted",
  (error) => (error instanceof Failure ? error.code : String(error)),
);
const files = [...(await readdir(folder)), ...(await readdir(join(folder, ".unfinished")))].sort();
const kept = (await blobs.get("small"))?.length;
process.stdout.write(JSON.stringify({ outcome, files, kept, large: await blobs.get("large") }));
