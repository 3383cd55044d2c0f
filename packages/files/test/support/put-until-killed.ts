import { folderBlobs } from "../../src/folder-blobs.ts";

// Puts blobs of one repeated byte until it is killed; says which name it begins.
const [folder = "", size = "0"] = process.argv.slice(2);
const blobs = await folderBlobs(folder);
for (let count = 0; ; count += 1) {
  const name = `${process.pid}_${count}`;
  process.stdout.write(`${name}\n`);
  await blobs.put(name, Buffer.alloc(Number(size), count % 256));
}
