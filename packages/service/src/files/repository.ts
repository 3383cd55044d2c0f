import type { Blobs, Files } from "@cardbridge/domain";
import type { Database } from "../database/database.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { type FileQuota, keepFiles } from "./keep.ts";
import { readFiles } from "./read-content.ts";
import { sweepFiles } from "./sweep.ts";
import { checkFiles } from "./use.ts";

const unlimited: FileQuota = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Uploaded files: rows in the database and encrypted blobs in `blobs`; see the port for the contract. */
export function filesRepository(
  database: Database,
  keys: KeySet,
  blobs: Blobs,
  quota: FileQuota = unlimited,
): Files {
  const verifiedKeys = createVerifiedKeys(database, keys);
  return {
    ...keepFiles(database, verifiedKeys, blobs, quota),
    ...checkFiles(database),
    ...readFiles(database, verifiedKeys, blobs),
    ...sweepFiles(database, blobs),
  };
}
