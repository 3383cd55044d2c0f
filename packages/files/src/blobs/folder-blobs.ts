import { randomBytes } from "node:crypto";
import {
  access,
  constants,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rm,
  stat,
  statfs,
} from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errorCode, Failure, ReasonError } from "@cardbridge/domain";
import { checkedName } from "./blob-name.ts";
import type { BlobStore } from "./blob-store.ts";
import { identityFile, noSpaceCodes, unfinishedFolder } from "./folder-layout.ts";

/** No put takes this long, so a killed process left any older file. */
const maxUnfinishedMs = 60 * 60 * 1000;

/** Below this free space a check says that the folder is full, before an upload finds out. */
const minFreeBytes = 64 * 1024 * 1024;

/**
 * Stores blobs as files in a folder, which is created if missing. The file system must support hard links.
 * @param minFree the free space in bytes below which a check fails with STORAGE_FULL
 * @throws Error of the file system when the folder cannot be used
 */
export async function createFolderBlobs(folder: string, minFree = minFreeBytes): Promise<BlobStore> {
  const unfinished = join(folder, unfinishedFolder);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await removeAbandoned(unfinished);

  const pathOf = (name: string) => join(folder, checkedName(name));
  const draftOf = (name: string) => join(unfinished, checkedName(name));
  const identityPath = join(folder, identityFile);

  async function check(): Promise<void> {
    const { bavail, bsize } = await orFailure(async () => {
      await access(unfinished, constants.R_OK | constants.W_OK | constants.X_OK);
      return statfs(unfinished);
    });
    if (bavail * bsize < minFree) throw new Failure("STORAGE_FULL", { cause: new ReasonError("full") });
  }

  /** Creates a whole, durable file. @throws EEXIST if it exists. */
  async function create(path: string, draft: string, bytes: Uint8Array): Promise<void> {
    await write(draft, bytes);
    try {
      // Unlike rename, link fails when the name exists, so it never replaces a file.
      await link(draft, path);
      await sync(folder);
    } finally {
      await rm(draft, { force: true });
    }
  }

  return {
    checkWrite: check,
    checkRead: check,
    identity: () =>
      orFailure(async () => {
        const identity = await readFile(identityPath, "utf8").catch(nullIfMissing);
        if (identity !== null) return identity;
        const proposed = randomBytes(16).toString("hex");
        await create(identityPath, draftOf(proposed), Buffer.from(proposed)).catch(unlessExists);
        return readFile(identityPath, "utf8");
      }),
    put: (name, blob) => orFailure(() => create(pathOf(name), draftOf(name), blob)),
    create: (name, blob) =>
      orFailure(async () => {
        // Another process may create the same blob at the same time.
        const draft = draftOf(randomBytes(16).toString("hex"));
        return create(pathOf(name), draft, blob).then(
          () => true,
          (error: unknown) => unlessExists(error) ?? false,
        );
      }),
    get: (name) => readFileBlob(pathOf(name)),
    addressOf: async (name) => ({ url: pathToFileURL(pathOf(name)).href, authorities: [] }),
    async delete(name) {
      await orFailure(async () => {
        await rm(draftOf(name), { force: true });
        await rm(pathOf(name), { force: true });
        await sync(folder);
      });
    },
    async *list() {
      for await (const entry of await orFailure(() => opendir(folder))) if (entry.isFile()) yield entry.name;
    },
  };
}

/** Reads a blob by its path; null if it does not exist. */
export function readFileBlob(path: string): Promise<Uint8Array | null> {
  return orFailure(() => readFile(path).catch(nullIfMissing));
}

/** Writes a new file and flushes it to the disk. Removes it on failure. */
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

/** Flushes a folder to the disk. A new name in the folder is durable only after that. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > maxUnfinishedMs) await rm(path, { force: true });
  }
}

function nullIfMissing(error: unknown): null {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
}

function unlessExists(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}

async function orFailure<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (cause) {
    if (errorCode(cause) === "") throw cause;
    if (noSpaceCodes.has(errorCode(cause))) throw new Failure("STORAGE_FULL", { cause });
    throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause });
  }
}
