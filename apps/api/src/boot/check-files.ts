import { Failure, reasonOf } from "@cardbridge/domain";
import type { BlobStore } from "@cardbridge/files";
import { ConfigurationError } from "@cardbridge/node";
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

interface CheckedFiles {
  /** The identity of the file store, if it could be read. */
  identity: string | undefined;
  /** Why the file store is temporarily unusable. A process without it serves all other calls. */
  reason: string | undefined;
}

/**
 * Identifies the file store at the start, and checks that files can be written and read.
 * @throws ConfigurationError for a fault of the configuration.
 */
export async function checkFiles(
  blobs: Pick<BlobStore, "identity" | "checkWrite" | "checkRead">,
  bucket: string | undefined,
): Promise<CheckedFiles> {
  let identity: string | undefined;
  const reason = await reasonFrom(async () => {
    identity = await blobs.identity();
    await blobs.checkWrite();
    await blobs.checkRead();
  });
  if (reason === undefined || !faults.has(reason)) return { identity, reason };
  throw new ConfigurationError([`${filesVariable(bucket)}: ${sentenceOf(reason)}`]);
}

/** The variable that configures the file store. */
export function filesVariable(bucket: string | undefined): string {
  return bucket === undefined ? "FILES_DIR" : "FILES_S3_BUCKET";
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
