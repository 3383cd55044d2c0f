import type { Blobs, Files } from "@cardbridge/domain";
import type { Ports } from "../operation/ports.ts";
import { type FileQuota, keepFiles } from "./keep.ts";
import { readFiles } from "./read.ts";
import { checkFiles } from "./use.ts";

const unlimited: FileQuota = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Uploaded files: rows in the database and encrypted blobs in `blobs`; see the port for the contract. */
export function filesRepository(
  ports: Pick<Ports, "database" | "personalDataKeys">,
  blobs: Blobs,
  quota: FileQuota = unlimited,
): Files {
  return {
    keep: keepFiles(ports, blobs, quota),
    check: checkFiles(ports.database),
    ...readFiles(ports, blobs),
  };
}
