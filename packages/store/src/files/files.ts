import type { Blobs, Files } from "@cardbridge/domain";
import type { Database } from "../database.ts";
import type { Keys } from "../sealing/keys.ts";
import { keyGate } from "../sealing/known-keys.ts";
import { keeping } from "./keep.ts";
import { reading } from "./read.ts";
import { sweeping } from "./sweep.ts";

/** Uploaded files: rows here, sealed blobs elsewhere; see the port for the contract. */
export function filesRepository(database: Database, keys: Keys, blobs: Blobs): Files {
  const keysPass = keyGate(database, keys);
  const { keep } = keeping(database, keys, blobs);
  const { read, platformOf } = reading(database, keys, blobs);
  return {
    async keep(platformId, file) {
      await keysPass();
      return keep(platformId, file);
    },
    async read(platformId, fileId) {
      await keysPass();
      return read(platformId, fileId);
    },
    platformOf,
    ...sweeping(database, blobs),
  };
}
