import { existsSync, linkSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "@cardbridge/domain";
import { noSpaceCodes, unfinishedFolder } from "./folder-layout.ts";

const problems: Record<string, string> = {
  EACCES: "cannot be written by this user",
  ENOTDIR: "is under a file, which is not a folder",
  EEXIST: "is a file, not a folder",
  EROFS: "is on a read-only file system",
  EPERM: "is on a file system without hard links, or cannot be written by this user",
};

/**
 * Creates a folder if missing and tests it with the same calls as `createFolderBlobs`. Returns why it cannot store
 * blobs, as a predicate that follows the folder's name. Returns null when it can, even if the disk is full.
 */
export function folderProblem(folder: string): string | null {
  const unfinished = join(folder, unfinishedFolder);
  const [draft, blob] = [join(unfinished, `probe-${process.pid}`), join(folder, `.probe-${process.pid}`)];
  try {
    mkdirSync(unfinished, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(draft, "");
      linkSync(draft, blob);
    } finally {
      rmSync(draft, { force: true });
      rmSync(blob, { force: true });
    }
    return null;
  } catch (error) {
    const code = errorCode(error) || "unknown";
    return noSpaceCodes.has(code) ? null : `${problems[code] ?? "cannot be used"} (${code}).`;
  }
}

/** Whether nothing was stored in the folder before. Creates nothing: a folder would belong to whoever asks. */
export function isFolderUnused(folder: string): boolean {
  const isFile = existsSync(folder) && !statSync(folder).isDirectory();
  return !isFile && !existsSync(join(folder, unfinishedFolder));
}
