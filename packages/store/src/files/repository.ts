import type { Blobs, Files } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { createKeyGate } from "../sealing/key-gate.ts";
import type { Keys } from "../sealing/keys.ts";
import { type FileQuota, keepFiles } from "./keep.ts";
import { readFiles } from "./read.ts";
import { sweepFiles } from "./sweep.ts";

const unlimited: FileQuota = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Uploaded files: rows in the database, encrypted blobs in `blobs`; see the port for the contract. */
export function filesRepository(
  database: Database,
  keys: Keys,
  blobs: Blobs,
  quota: FileQuota = unlimited,
): Files {
  const keyGate = createKeyGate(database, keys);
  return {
    ...keepFiles(database, keyGate, blobs, quota),
    ...readFiles(database, keyGate, blobs),
    ...sweepFiles(database, blobs),
  };
}
