import tls from "node:tls";
import { fileURLToPath } from "node:url";
import type { BlobAddress } from "@cardbridge/domain";
import { readFileBlob } from "./folder-blobs.ts";
import { readObject } from "./s3-blobs.ts";

/** Reads a blob by its address, in a process that has nothing else of the store. @throws as `Blobs.get`. */
export function readBlob({ url, authorities }: BlobAddress): Promise<Uint8Array | null> {
  if (url.startsWith("file:")) return readFileBlob(fileURLToPath(url));
  // This process has no environment, so also none of the variables that add authorities.
  if (authorities.length > 0)
    tls.setDefaultCACertificates([...tls.getCACertificates("bundled"), ...authorities]);
  return readObject(url);
}
