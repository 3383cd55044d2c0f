import type { ListedBlobs } from "@cardbridge/domain";

/** A store of blobs that can be tested. The reason of a failure is in its cause, such as NoSuchBucket or EACCES. */
export interface BlobStore extends ListedBlobs {
  /** What tells this store from others: processes with the same identity read each other's blobs. @throws as `put`. */
  identity(): Promise<string>;
  /** Tests that blobs can be written. In a bucket, one object remains. @throws as `put`, within five seconds. */
  checkWrite(): Promise<void>;
  /** Tests that blobs can be read. @throws as `get`, within five seconds. */
  checkRead(): Promise<void>;
}

/** The time limit of a check in a bucket, in milliseconds. */
export const checkMs = 5_000;
