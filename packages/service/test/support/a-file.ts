import { randomBytes, randomUUID } from "node:crypto";
import { Failure, type FilePurpose, type ListedBlobs, type UploadUrlUse } from "@cardbridge/domain";
import type { Database, KeySet } from "../../src/database.ts";
import { createVerifiedKeys } from "../../src/encryption/verified-keys.ts";
import { type FileQuota, findKept } from "../../src/files/keep.ts";
import { filesRepository } from "../../src/files/repository.ts";
import { sweepFiles } from "../../src/files/sweep.ts";

/** Blobs in memory. `broken` makes the next put fail before or after it stores the blob. */
export function memoryBlobs() {
  const kept = new Map<string, Uint8Array>();
  const state: { broken: "before" | "after" | undefined } = { broken: undefined };
  const blobs: ListedBlobs = {
    async create(name, blob) {
      if (kept.has(name)) return false;
      await blobs.put(name, blob);
      return true;
    },
    async *list() {
      yield* kept.keys();
    },
    async put(name, blob) {
      const { broken } = state;
      state.broken = undefined;
      if (broken !== "before") kept.set(name, blob);
      if (broken) throw new Failure("STORAGE_FULL");
    },
    get: async (name) => kept.get(name) ?? null,
    addressOf: async (name) => ({ url: `memory:${name}`, authorities: [] }),
    delete: async (name) => void kept.delete(name),
  };
  return { blobs, kept, state };
}

/** The files of a service with these keys, blobs and quota. */
export function filesWith(database: Database, keys: KeySet, blobs: ListedBlobs, quota?: FileQuota) {
  const ports = { database, personalDataKeys: createVerifiedKeys(database, keys) };
  return {
    ...filesRepository(ports, blobs, quota),
    keptBy: (platformId: string, use: UploadUrlUse) => findKept(ports, platformId, use),
    sweep: (limit: number) => sweepFiles({ database, blobs }, limit),
  };
}

/** An upload with unique ids; equal content has equal bytes. */
export function aFile(content: string = randomUUID(), purpose: FilePurpose = "selfie") {
  const bytes = Buffer.from(`the picture ${content}`);
  return {
    fileId: `file_${randomBytes(13).toString("hex")}`,
    blobName: randomBytes(16).toString("hex"),
    purpose,
    contentType: "image/jpeg" as const,
    bytes,
  };
}
