import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { full, unfinishedFolder } from "./folder-layout.ts";

const sentences: Record<string, string> = {
  EACCES: "cannot be written by this user",
  ENOTDIR: "is under a file, which is no folder",
  EEXIST: "is a file, and no folder",
  EROFS: "is on a read-only file system",
  EPERM: "is on a file system without hard links, or cannot be written by this user",
};

/**
 * Makes a folder where it is missing and tries it as `folderBlobs` uses it. Returns why it cannot keep blobs, as the rest
 * of a sentence that begins with its name; null when it can, also when its disk is full.
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
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return full.has(code) ? null : `${sentences[code] ?? "cannot be used"} (${code}).`;
  }
}
