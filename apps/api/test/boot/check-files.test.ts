import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { expect, it, onTestFinished } from "vitest";
import { checkFiles } from "../../src/boot/check-files.ts";
import { openBlobs } from "../../src/boot/files.ts";
import { readEnv } from "../../src/config/env.ts";

async function startS3(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "cardbridge-s3-"));
  const configureBuckets = [{ name: "files", configs: [] }];
  const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  onTestFinished(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });
  return `http://127.0.0.1:${port}`;
}

/** The reasons of a start with this bucket; empty if it starts. */
async function reasonsAt(endpoint: string, bucket: string): Promise<unknown> {
  const env = readEnv({
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_ACCESS_KEY_ID: "S3RVER",
    FILES_S3_SECRET_ACCESS_KEY: "S3RVER",
  });
  return checkFiles(await openBlobs(env), env.FILES_S3_BUCKET).then(
    () => [],
    ({ reasons }) => reasons,
  );
}

it("a start accepts its bucket, and refuses a missing one", async () => {
  const endpoint = await startS3();
  expect(await reasonsAt(endpoint, "files")).toEqual([]);
  expect(await reasonsAt(endpoint, "nowhere")).toEqual([
    "FILES_S3_BUCKET: The file store cannot be used: there is no bucket of this name (NoSuchBucket).",
  ]);
});

it.each([
  [403, "AccessDenied", "the access key may not use the bucket (AccessDenied)"],
  [403, "SignatureDoesNotMatch", "the secret access key is wrong (SignatureDoesNotMatch)"],
  [502, "", "it failed (status-502)"],
])("a start refuses a store that answers %d %s", async (status, code, reason) => {
  const server = createServer((_, response) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`),
  ).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await reasonsAt(`http://127.0.0.1:${port}`, "files")).toEqual([
    `FILES_S3_BUCKET: The file store cannot be used: ${reason}.`,
  ]);
});

it("a start refuses an endpoint where nothing listens", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  expect(await reasonsAt(`http://127.0.0.1:${port}`, "files")).toEqual([
    "FILES_S3_BUCKET: The file store cannot be used: nothing listens at its address (ECONNREFUSED).",
  ]);
});
