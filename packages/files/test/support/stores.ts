import { rm } from "node:fs/promises";
import S3rver from "s3rver";
import { type BlobStore, createFolderBlobs, createS3Blobs, type S3Options } from "../../src/index.ts";
import { makeFolder } from "./folder.ts";
import { answerWholeObjects } from "./whole-objects.ts";

interface Store {
  blobs: BlobStore;
  close(): Promise<void>;
}

async function startFolder(): Promise<Store> {
  const folder = await makeFolder();
  return { blobs: await createFolderBlobs(folder), close: () => rm(folder, { recursive: true }) };
}

/** Starts an S3 server with one bucket. It does not verify signatures of version 4; s3-signature.ts does. */
export async function startS3(): Promise<Store & { options: S3Options }> {
  const directory = await makeFolder();
  const bucket = "files";
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  answerWholeObjects(server);
  const { port } = await server.run();
  const options = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: "S3RVER",
    pathStyle: true,
  };
  const close = async () => {
    await server.close();
    await rm(directory, { recursive: true });
  };
  return { blobs: createS3Blobs(options), options, close };
}

export const stores: [string, () => Promise<Store>][] = [
  ["folder", startFolder],
  ["S3 bucket", startS3],
];
