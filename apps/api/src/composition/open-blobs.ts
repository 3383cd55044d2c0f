import type { Blobs } from "@cardbridge/domain";
import { createFolderBlobs, createS3Blobs } from "@cardbridge/files";
import type { Env } from "../config/env.ts";
import { filesFolder } from "./files-folder.ts";

/** Where sealed files are kept: an S3 bucket where one is configured, a folder otherwise. */
export async function openBlobs(env: Env): Promise<Blobs> {
  const {
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_REGION: region,
    FILES_S3_ACCESS_KEY_ID: accessKeyId,
    FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env;
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    // Every store knows the bucket in the path; in front of the host it needs names and certificates.
    return createS3Blobs({ endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle: true });
  }
  return createFolderBlobs(filesFolder(env).folder);
}
