import { Failure, reasonOf } from "@cardbridge/domain";
import type { BlobStore } from "@cardbridge/files";
import { ConfigurationError } from "../config/configuration-error.ts";
import { explainReason } from "./reason-texts.ts";

/** The reasons why a check of the file store failed; empty if it succeeds. A full store can still be read. */
export async function fileReasons(check: () => Promise<void>): Promise<string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof Failure && error.code === "STORAGE_FULL") return [];
    return [`The file store cannot be used: ${explainReason(reasonOf(error))}.`];
  }
}

/**
 * Checks at the start that files can be written and read.
 * @throws ConfigurationError with the reason.
 */
export async function checkFiles(blobs: BlobStore, bucket: string | undefined): Promise<void> {
  const reasons = await fileReasons(async () => {
    await blobs.checkWrite();
    await blobs.checkRead();
  });
  const variable = bucket === undefined ? "FILES_DIR" : "FILES_S3_BUCKET";
  if (reasons.length > 0) throw new ConfigurationError(reasons.map((reason) => `${variable}: ${reason}`));
}
