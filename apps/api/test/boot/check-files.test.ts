import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "@cardbridge/domain";
import S3rver from "s3rver";
import { expect, it, onTestFinished } from "vitest";
import { checkFiles } from "../../src/boot/checks.ts";
import { openBlobs } from "../../src/boot/files.ts";
import { readEnv } from "../../src/config/env.ts";
import { unusedPort } from "../support/unused-port.ts";

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

/** The reasons why a start with this bucket is refused, or the reason of its warning. */
async function startAt(endpoint: string, bucket: string): Promise<unknown> {
  const env = readEnv({
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_ACCESS_KEY_ID: "S3RVER",
    FILES_S3_SECRET_ACCESS_KEY: "S3RVER",
  });
  return checkFiles(await openBlobs(env), env.FILES_S3_BUCKET).then(
    ({ identity, reason }) => ({ identity, warning: reason }),
    ({ reasons }) => ({ reasons }),
  );
}

it("a start accepts its bucket, and refuses a missing one", async () => {
  const endpoint = await startS3();
  expect(await startAt(endpoint, "files")).toEqual({ identity: "s3:files", warning: undefined });
  expect(await startAt(endpoint, "nowhere")).toEqual({
    reasons: [
      "FILES_S3_BUCKET: The file store cannot be used: there is no bucket of this name (NoSuchBucket).",
    ],
  });
});

/** A store whose every answer has this status and error code. */
async function startStore(status: number, code: string): Promise<string> {
  const server = createServer((_, response) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`),
  ).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  ["AccessDenied", "the access key may not use the bucket (AccessDenied)"],
  ["InvalidAccessKeyId", "the access key is not known (InvalidAccessKeyId)"],
  ["SignatureDoesNotMatch", "the secret access key is wrong (SignatureDoesNotMatch)"],
])("a start refuses a store that answers %s", async (code, reason) => {
  expect(await startAt(await startStore(403, code), "files")).toEqual({
    reasons: [`FILES_S3_BUCKET: The file store cannot be used: ${reason}.`],
  });
});

it.each([
  [502, "", "status-502"],
  [503, "SlowDown", "SlowDown"],
  [500, "InternalError", "InternalError"],
])("a start warns of a store that answers %d %s", async (status, code, warning) => {
  expect(await startAt(await startStore(status, code), "files")).toEqual({
    identity: "s3:files",
    warning,
  });
});

it("a start warns of an endpoint where nothing listens", async () => {
  expect(await startAt(`http://127.0.0.1:${await unusedPort()}`, "files")).toEqual({
    identity: "s3:files",
    warning: "ECONNREFUSED",
  });
});

it.each(["ENOENT", "EACCES", "EROFS", "ENOTDIR"])("a start refuses a folder with %s", async (code) => {
  const check = () => Promise.reject(Object.assign(new Error("The folder fails."), { code }));
  const blobs = { identity: check, checkWrite: check, checkRead: check };
  await expect(checkFiles(blobs, undefined)).rejects.toMatchObject({
    reasons: [expect.stringMatching(`^FILES_DIR: The file store cannot be used: .* \\(${code}\\)\\.$`)],
  });
});

it("a start with a full disk warns, and accepts a folder that has no identity yet", async () => {
  const identity = () => Promise.reject(new Failure("STORAGE_FULL"));
  const blobs = { identity, checkWrite: async () => {}, checkRead: async () => {} };
  expect(await checkFiles(blobs, undefined)).toEqual({ identity: undefined, reason: "full" });
});
