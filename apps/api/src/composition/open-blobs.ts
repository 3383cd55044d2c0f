import type { Blobs } from "@cardbridge/domain";
import { createFolderBlobs, createS3Blobs } from "@cardbridge/files";
import type { Env } from "../config/env.ts";
import { filesFolder } from "./files-folder.ts";

/** Opens the store of encrypted files: the configured S3 bucket, or a folder. */
export async function openBlobs(env: Env): Promise<Blobs> {
  const {
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_REGION: region,
    FILES_S3_ACCESS_KEY_ID: accessKeyId,
    FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env;
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    // Path style works with every S3 store. Virtual hosts would need DNS names and certificates.
    return createS3Blobs({ endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle: true });
  }
  return createFolderBlobs(filesFolder(env).folder);
}
