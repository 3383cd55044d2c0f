import { hash, randomBytes } from "node:crypto";
import type { UploadUrlUse } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { startDatabaseProxy } from "../../src/testing/database-proxy.ts";
import { aFile, filesWith, memoryBlobs } from "../support/a-file.ts";
import { openDatabase } from "../support/open-database.ts";
import { aRequest, keys, makeWorld } from "../support/world.ts";

/** An upload URL accepts one file: it is used when the file is stored, and never before. */
const world = await makeWorld({ maxConnections: 10 });
const { blobs, kept, state } = memoryBlobs();
const files = filesWith(world.database, keys, blobs);

const aUse = (bytes = "the picture"): UploadUrlUse => ({
  uploadId: randomBytes(32).toString("base64url"),
  sha256: hash("sha256", bytes, "hex"),
});
const storedOf = async (platformId: string) => {
  const ids = "select id from files where platform_id = $1 and stored_at is not null";
  return (await world.admin(ids, [platformId])).map(({ id }) => id);
};

test("the same bytes return the first file, also after a submission used it", async () => {
  const platformId = await world.platform();
  const [file, use] = [aFile(), aUse()];
  expect(await files.keptBy(platformId, use)).toBeNull();
  const first = await files.keep(platformId, file, use);
  expect(first).toMatchObject({ fileId: file.fileId, contentType: file.contentType });
  const uses = [{ fileId: file.fileId, purpose: file.purpose, path: ["selfieImageUrl"] }];
  await world.kyc.createOrReplay(platformId, { ...aRequest(), files: uses });
  expect(await files.keptBy(platformId, use)).toEqual(first);
  expect(await files.keep(platformId, aFile(), use)).toEqual(first);
  expect(await storedOf(platformId)).toEqual([file.fileId]);
});

test("other bytes are refused, another platform's URL is another one, and the stored hash does not reveal the bytes", async () => {
  const platformId = await world.platform();
  const use = aUse();
  await files.keep(platformId, aFile(), use);
  const other = { ...use, sha256: aUse("another picture").sha256 };
  for (const refused of [files.keptBy(platformId, other), files.keep(platformId, aFile(), other)])
    await expect(refused).rejects.toMatchObject({ code: "UPLOAD_URL_USED" });
  expect(await storedOf(platformId)).toHaveLength(1);
  expect(await files.keptBy(await world.platform(), use)).toBeNull();
  const [row] = await world.admin("select upload_fingerprint from files where platform_id = $1", [
    platformId,
  ]);
  expect(row.upload_fingerprint.toString("hex")).not.toBe(use.sha256);
});

test("concurrent uploads to one URL store one file, and a sweep deletes the others", async () => {
  const platformId = await world.platform();
  const use = aUse();
  const uploads = Array.from({ length: 8 }, () => aFile());
  const results = await Promise.all(uploads.map((file) => files.keep(platformId, file, use)));
  const [stored] = await storedOf(platformId);
  expect(await storedOf(platformId)).toHaveLength(1);
  expect(results).toEqual(Array(8).fill({ ...results[0], fileId: stored }));
  await files.sweep(100);
  expect(uploads.filter(({ blobName }) => kept.has(blobName)).map(({ fileId }) => fileId)).toEqual([stored]);
});

test.each(["before", "after"] as const)(
  "an upload that is interrupted %s its blob is stored leaves the URL usable",
  async (when) => {
    const platformId = await world.platform();
    const use = aUse();
    state.broken = when;
    await expect(files.keep(platformId, aFile(), use)).rejects.toMatchObject({ code: "STORAGE_FULL" });
    expect(await files.keptBy(platformId, use)).toBeNull();
    const other = { ...use, sha256: aUse("another picture").sha256 };
    const again = aFile();
    expect(await files.keep(platformId, again, other)).toMatchObject({ fileId: again.fileId });
  },
);

test("the same bytes return the file whose commit had no answer", async ({ onTestFinished }) => {
  const platformId = await world.platform();
  const [file, use] = [aFile(), aUse()];
  const proxy = await startDatabaseProxy(world.urls.serviceUrl);
  const proxied = openDatabase({ url: proxy.url, onError: () => {} });
  onTestFinished(async () => {
    await proxied.close();
    await proxy.close();
  });
  const losing = filesWith(proxied, keys, {
    ...blobs,
    async put(name, blob) {
      await blobs.put(name, blob);
      proxy.cutAt("commit", "after");
    },
  });
  await expect(losing.keep(platformId, file, use)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  await expect.poll(() => files.keptBy(platformId, use)).toMatchObject({ fileId: file.fileId });
});
