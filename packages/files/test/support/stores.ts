import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Blobs } from "@cardbridge/domain";
import S3rver from "s3rver";
import { folderBlobs, type S3Options, s3Blobs } from "../../src/index.ts";

interface Store {
  blobs: Blobs;
  close(): Promise<void>;
}

/** A folder of this test's own. */
export async function freshFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "cardbridge-blobs-"));
}

async function startFolder(): Promise<Store> {
  const folder = await freshFolder();
  return { blobs: await folderBlobs(folder), close: () => rm(folder, { recursive: true }) };
}

/** A server that speaks S3 and verifies signatures, with one bucket. */
export async function startS3(): Promise<Store & { options: S3Options }> {
  const directory = await freshFolder();
  const bucket = "files";
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = (await server.run()) as unknown as AddressInfo;
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
  return { blobs: s3Blobs(options), options, close };
}

export const stores: [string, () => Promise<Store>][] = [
  ["folder", startFolder],
  ["S3 bucket", startS3],
];
