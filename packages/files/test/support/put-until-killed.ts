import { createFolderBlobs } from "../../src/blobs/folder-blobs.ts";

// Puts blobs of one repeated byte until it is killed.
const [folder = "", size = "0"] = process.argv.slice(2);
const blobs = await createFolderBlobs(folder);
for (let count = 0; ; count += 1) {
  await blobs.put(`${process.pid}_${count}`, Buffer.alloc(Number(size), count % 256));
}
