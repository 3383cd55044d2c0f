import type { Blobs, Files } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import { createKeyGate } from "../sealing/key-gate.ts";
import type { Keys } from "../sealing/keys.ts";
import { keepFiles } from "./keep.ts";
import { readFiles } from "./read.ts";
import { sweepFiles } from "./sweep.ts";
import { checkFiles } from "./use.ts";

/** Uploaded files: rows in the database, encrypted blobs in `blobs`; see the port for the contract. */
export function filesRepository(database: Database, keys: Keys, blobs: Blobs): Files {
  const keyGate = createKeyGate(database, keys);
  return {
    ...keepFiles(database, keyGate, blobs),
    ...checkFiles(database),
    ...readFiles(database, keyGate, blobs),
    ...sweepFiles(database, blobs),
  };
}
