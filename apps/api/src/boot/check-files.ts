import { Failure, reasonOf } from "@cardbridge/domain";
import type { BlobStore } from "@cardbridge/files";
import { ConfigurationError } from "../config/configuration-error.ts";
import { explainReason } from "./reason-texts.ts";

/** The reasons that only a change of the configuration, the bucket or the folder removes. */
const faults = new Set([
  "NoSuchBucket",
  "InvalidBucketName",
  "AccessDenied",
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "AuthorizationHeaderMalformed",
  "ENOENT",
  "ENOTDIR",
  "EACCES",
  "EPERM",
  "EROFS",
]);

/** The sentences that say why a check of the file store failed; empty if it succeeds. */
export async function fileReasons(check: () => Promise<void>): Promise<string[]> {
  const reason = await reasonFrom(check);
  return reason === undefined ? [] : [sentenceOf(reason)];
}

/**
 * Checks at the start that files can be written and read.
 * @returns the reason if the file store is temporarily unusable. A process without it serves all other calls.
 * @throws ConfigurationError for a fault of the configuration.
 */
export async function checkFiles(
  blobs: Pick<BlobStore, "checkWrite" | "checkRead">,
  bucket: string | undefined,
): Promise<string | undefined> {
  const reason = await reasonFrom(async () => {
    await blobs.checkWrite();
    await blobs.checkRead();
  });
  if (reason === undefined || !faults.has(reason)) return reason;
  const variable = bucket === undefined ? "FILES_DIR" : "FILES_S3_BUCKET";
  throw new ConfigurationError([`${variable}: ${sentenceOf(reason)}`]);
}

/** The reason of a failed check. A full store can still be read. */
async function reasonFrom(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error instanceof Failure && error.code === "STORAGE_FULL" ? undefined : reasonOf(error);
  }
}

function sentenceOf(reason: string): string {
  return `The file store cannot be used: ${explainReason(reason)}.`;
}
