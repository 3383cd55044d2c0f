import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { filesRepository, platformsRepository } from "../../src/index.ts";
import { aFile, memoryBlobs } from "../support/a-file.ts";
import { testErasures } from "../support/erasures.ts";
import { answered, aRequest, keys, makeWorld } from "../support/world.ts";

const world = await makeWorld({ maxConnections: 10 });
const { database, kyc, urls } = world;
const { blobs, kept, state } = memoryBlobs();

const filesWithin = (quota: { files: number; bytes: number }) =>
  filesRepository(database, keys, blobs, quota);
const unlimited = filesRepository(database, keys, blobs);
const outcomeOf = (task: Promise<unknown>) =>
  task.then(
    () => "kept",
    ({ code }) => code,
  );
const usageOf = async (platformId: string) => {
  const found = (await platformsRepository(database).list(1_000)).find(
    (one) => one.platformId === platformId,
  );
  return [found?.storedFiles, found?.storedBytes];
};
const asAdmin = (text: string, values: unknown[] = []) =>
  withConnection(urls.adminUrl, (client) => client.query(text, values));
const expireAll = (platformId: string) =>
  asAdmin("update files set expires_at = now() - interval '1 day' where platform_id = $1", [platformId]);
const sizeOf = ({ bytes }: { bytes: Buffer }) => bytes.byteLength;

test("concurrent uploads are stored up to the quota, and rejected uploads leave no data", async () => {
  const platformId = await world.platform();
  const before = kept.size;
  const files = filesWithin({ files: 5, bytes: 1_000_000 });
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => outcomeOf(files.keep(platformId, aFile()))),
  );
  expect(outcomes.sort()).toEqual([
    ...Array.from({ length: 15 }, () => "FILE_QUOTA_EXCEEDED"),
    ...Array.from({ length: 5 }, () => "kept"),
  ]);
  expect(kept.size - before).toBe(5);
  expect(await usageOf(platformId)).toEqual([5, 5 * sizeOf(aFile())]);
  expect(await outcomeOf(files.keep(await world.platform(), aFile()))).toBe("kept");
});

test("the quota of bytes is exact", async () => {
  const platformId = await world.platform();
  const bytes = 3 * sizeOf(aFile());
  const keep = (quota: number) =>
    outcomeOf(filesWithin({ files: 100, bytes: quota }).keep(platformId, aFile()));
  expect(await Promise.all([keep(bytes), keep(bytes)])).toEqual(["kept", "kept"]);
  expect(await keep(bytes - 1)).toBe("FILE_QUOTA_EXCEEDED");
  expect(await keep(bytes)).toBe("kept");
  expect(await usageOf(platformId)).toEqual([3, bytes]);
});

test("an expired file counts until it is deleted", async () => {
  const [platformId, other] = [await world.platform(), await world.platform()];
  const files = filesWithin({ files: 2, bytes: 1_000_000 });
  for (const id of [platformId, platformId, other]) await files.keep(id, aFile());
  await expireAll(platformId);
  expect(await outcomeOf(files.keep(platformId, aFile()))).toBe("FILE_QUOTA_EXCEEDED");
  await files.sweep(100);
  expect(await usageOf(platformId)).toEqual([0, 0]);
  expect(await usageOf(other)).toEqual([1, sizeOf(aFile())]);
  expect(await outcomeOf(files.keep(platformId, aFile()))).toBe("kept");
});

test("an upload that fails counts until it is swept", async () => {
  const platformId = await world.platform();
  state.broken = "before";
  expect(await outcomeOf(unlimited.keep(platformId, aFile()))).toBe("STORAGE_FULL");
  expect(await usageOf(platformId)).toEqual([1, sizeOf(aFile())]);
  await expireAll(platformId);
  await unlimited.sweep(100);
  expect(await usageOf(platformId)).toEqual([0, 0]);
});

test("a used file counts until its user is erased and it is swept", async () => {
  const platformId = await world.platform();
  const file = aFile();
  await unlimited.keep(platformId, file);
  const { record } = await kyc.createOrReplay(platformId, {
    ...aRequest({ memberId: randomUUID(), email: `${randomUUID()}@example.com` }),
    files: [{ fileId: file.fileId, purpose: "selfie", path: ["selfieImageUrl"] }],
  });
  await kyc.storeVerdict(platformId, record, answered("approved"));
  expect(await usageOf(platformId)).toEqual([1, sizeOf(file)]);
  const { request, eraseDue } = testErasures(database);
  await request(platformId, record.externalUserId);
  await eraseDue(100);
  await unlimited.sweep(100);
  expect(await usageOf(platformId)).toEqual([0, 0]);
});

test("sweeps and uploads of several platforms at once keep the usage exact", async () => {
  const platforms = await Promise.all(Array.from({ length: 4 }, () => world.platform()));
  for (const id of platforms) await Promise.all(Array.from({ length: 5 }, () => unlimited.keep(id, aFile())));
  await Promise.all(platforms.map(expireAll));
  await Promise.all([
    ...Array.from({ length: 4 }, () => unlimited.sweep(7)),
    ...platforms.flatMap((id) => [unlimited.keep(id, aFile()), unlimited.keep(id, aFile())]),
  ]);
  const { rows } = await asAdmin(
    `select u.platform_id, u.files = count(f.id) and u.bytes = coalesce(sum(f.size), 0) as exact
     from file_usage u left join files f using (platform_id) group by u.platform_id, u.files, u.bytes`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(4);
  expect(rows.filter(({ exact }) => !exact)).toEqual([]);
});

test("the service's role cannot change the usage", async () => {
  const platformId = await world.platform();
  await unlimited.keep(platformId, aFile());
  const change = withConnection(urls.serviceUrl, async (client) => {
    await client.query(`begin; set local cardbridge.platform = '${platformId}'`);
    await client.query("update file_usage set files = 0");
  });
  await expect(change).rejects.toMatchObject({ code: "42501" });
});
