import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Blobs, Failure } from "@cardbridge/domain";
import { checkedName } from "./blob-name.ts";
import { full, unfinishedFolder } from "./folder-layout.ts";

/** No put takes that long: what is older was left by a process that was killed. */
const unfinishedMs = 60 * 60 * 1000;

/**
 * Keeps blobs as files of a folder, which is made where it is missing; the file system has to know hard links.
 * @throws Error of the file system where the folder cannot be used.
 */
export async function folderBlobs(folder: string): Promise<Blobs> {
  const unfinished = join(folder, unfinishedFolder);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeOld(unfinished);

  const pathOf = (name: string) => join(folder, checkedName(name));
  const draftOf = (name: string) => join(unfinished, checkedName(name));

  return {
    async put(name, blob) {
      const draft = draftOf(name);
      await orFailure(async () => {
        await write(draft, blob);
        try {
          // A link, unlike a rename, takes no other blob's place.
          await link(draft, pathOf(name));
          await sync(folder);
        } finally {
          await rm(draft, { force: true });
        }
      });
    },
    get: (name) => orFailure(() => readFile(pathOf(name)).catch(nullWhereMissing)),
    async delete(name) {
      await orFailure(async () => {
        await rm(draftOf(name), { force: true });
        await rm(pathOf(name), { force: true });
        await sync(folder);
      });
    },
  };
}

/** Writes a file that is not there yet, down to the disk, or leaves none. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** A file is kept once its folder is. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > unfinishedMs) await rm(path, { force: true });
  }
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

async function orFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    if (full.has(String(cause.code))) throw new Failure("STORAGE_FULL", { cause });
    throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause });
  }
}
