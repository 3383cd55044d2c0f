import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** @throws Error if the folder of temporary files has less free space, in GB */
export function requireFree(gigabytes, what) {
  const { bavail, bsize } = statfsSync(tmpdir());
  const free = Math.floor((bavail * bsize) / 2 ** 30);
  if (free >= gigabytes) return;
  throw new Error(
    `${what} needs ${gigabytes} GB of free disk in ${tmpdir()}, which has ${free} GB. Set TMPDIR to a folder with more.`,
  );
}
