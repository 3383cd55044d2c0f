import { expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { listPlatforms } from "../../src/platforms/list.ts";
import { aFile, filesWith, memoryBlobs } from "../support/a-file.ts";
import { operatorCall } from "../support/calls.ts";
import { answered, aRequest, keys, makeWorld } from "../support/world.ts";

const { admin, database, erasures, kyc, platform, ports, urls } = await makeWorld({ maxConnections: 10 });
const { blobs, kept, state } = memoryBlobs();

const filesWithin = (quota: { files: number; bytes: number }) => filesWith(database, keys, blobs, quota);
const unlimited = filesWith(database, keys, blobs);
const outcomeOf = (task: Promise<unknown>) =>
  task.then(
    () => "kept",
    ({ code }) => code,
  );
const size = aFile().bytes.byteLength;
const usageOf = async (platformId: string) => {
  const { data } = await listPlatforms.execute(ports, operatorCall, {});
  const found = data.platforms.find((one) => one.platformId === platformId);
  return [found?.storedFiles, found?.storedBytes];
};
const expireAll = (platformId: string) =>
  admin("update files set expires_at = now() - interval '1 day' where platform_id = $1", [platformId]);

test("concurrent uploads are stored up to the quota, and rejected uploads leave no data", async () => {
  const platformId = await platform();
  const before = kept.size;
  const files = filesWithin({ files: 5, bytes: 1_000_000 });
  const keep = (id = platformId) => outcomeOf(files.keep(id, aFile()));
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => keep()));
  expect(outcomes.sort()).toEqual([...Array(15).fill("FILE_QUOTA_EXCEEDED"), ...Array(5).fill("kept")]);
  expect(kept.size - before).toBe(5);
  expect(await usageOf(platformId)).toEqual([5, 5 * size]);
  expect(await keep(await platform())).toBe("kept");
});

test("the quota of bytes is exact", async () => {
  const platformId = await platform();
  const bytes = 3 * size;
  const keep = (quota: number) =>
    outcomeOf(filesWithin({ files: 100, bytes: quota }).keep(platformId, aFile()));
  expect(await Promise.all([keep(bytes), keep(bytes)])).toEqual(["kept", "kept"]);
  expect(await keep(bytes - 1)).toBe("FILE_QUOTA_EXCEEDED");
  expect(await keep(bytes)).toBe("kept");
  expect(await usageOf(platformId)).toEqual([3, bytes]);
});

test("an expired file, also of an upload that failed, counts until it is swept", async () => {
  const [platformId, other] = [await platform(), await platform()];
  const files = filesWithin({ files: 2, bytes: 1_000_000 });
  await files.keep(other, aFile());
  await files.keep(platformId, aFile());
  state.broken = "before";
  expect(await outcomeOf(files.keep(platformId, aFile()))).toBe("STORAGE_FULL");
  await expireAll(platformId);
  expect(await usageOf(platformId)).toEqual([2, 2 * size]);
  expect(await outcomeOf(files.keep(platformId, aFile()))).toBe("FILE_QUOTA_EXCEEDED");
  await files.sweep(100);
  expect([await usageOf(platformId), await usageOf(other)]).toEqual([
    [0, 0],
    [1, size],
  ]);
  expect(await outcomeOf(files.keep(platformId, aFile()))).toBe("kept");
});

test("a used file counts until its user is erased and it is swept", async () => {
  const platformId = await platform();
  const file = aFile();
  await unlimited.keep(platformId, file);
  const files = [{ fileId: file.fileId, purpose: file.purpose, path: [] }];
  const { record } = await kyc.createOrReplay(platformId, { ...aRequest(), files });
  await kyc.storeVerdict(platformId, record, answered("approved"));
  expect(await usageOf(platformId)).toEqual([1, size]);
  await erasures.request(platformId, record.externalUserId);
  await erasures.eraseDue(100);
  await unlimited.sweep(100);
  expect(await usageOf(platformId)).toEqual([0, 0]);
});

test("sweeps and uploads of several platforms at once keep the usage exact", async () => {
  const platforms = await Promise.all(Array.from({ length: 4 }, () => platform()));
  for (const id of platforms) await Promise.all(Array.from({ length: 5 }, () => unlimited.keep(id, aFile())));
  await Promise.all(platforms.map(expireAll));
  await Promise.all([
    ...Array.from({ length: 4 }, () => unlimited.sweep(7)),
    ...platforms.flatMap((id) => [unlimited.keep(id, aFile()), unlimited.keep(id, aFile())]),
  ]);
  const rows = await admin(
    `select u.platform_id, u.files = count(f.id) and u.bytes = coalesce(sum(f.size), 0) as exact
     from file_usage u left join files f using (platform_id) group by u.platform_id, u.files, u.bytes`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(rows.filter(({ exact }) => !exact)).toEqual([]);
});

test("the service's role cannot change the usage", async () => {
  const platformId = await platform();
  await unlimited.keep(platformId, aFile());
  const change = withConnection(urls.serviceUrl, async (client) => {
    await client.query(`begin; set local cardbridge.platform = '${platformId}'`);
    await client.query("update file_usage set files = 0");
  });
  await expect(change).rejects.toMatchObject({ code: "42501" });
});
