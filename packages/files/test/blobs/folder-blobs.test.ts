import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reasonOf } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createFolderBlobs } from "../../src/index.ts";
import { createTempFolder } from "../support/folder.ts";
import { outcomeOf } from "../support/outcome.ts";

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

it("creates its folder with access for the owner only", async () => {
  const folder = join(await createTempFolder(), "deep", "blobs");
  await (await createFolderBlobs(folder)).put("a", Buffer.from("a"));
  expect([await modeOf(folder), await modeOf(join(folder, ".unfinished"))]).toEqual(["700", "700"]);
  expect(await modeOf(join(folder, "a"))).toBe("600");
});

it("keeps the existing blob when a put reuses its name, and leaves no unfinished file", async () => {
  const folder = await createTempFolder();
  const blobs = await createFolderBlobs(folder);
  await blobs.put("a", Buffer.from("first"));
  expect(await outcomeOf(blobs.put("a", Buffer.from("second")))).toBe("SERVICE_UNAVAILABLE");
  expect(await blobs.get("a")).toEqual(Buffer.from("first"));
  expect(await readdir(join(folder, ".unfinished"))).toEqual([]);
});

it("removes only unfinished files older than an hour", async () => {
  const folder = await createTempFolder();
  const unfinished = join(folder, ".unfinished");
  await mkdir(unfinished);
  for (const name of ["old", "young"]) await writeFile(join(unfinished, name), "half");
  const past = Date.now() / 1000 - 3_700;
  await utimes(join(unfinished, "old"), past, past);
  await createFolderBlobs(folder);
  expect(await readdir(unfinished)).toEqual(["young"]);
});

it("deletes an unfinished blob", async () => {
  const folder = await createTempFolder();
  const blobs = await createFolderBlobs(folder);
  await writeFile(join(folder, ".unfinished", "a"), "half");
  expect(await blobs.get("a")).toBeNull();
  await blobs.delete("a");
  expect(await readdir(join(folder, ".unfinished"))).toEqual([]);
});

it("rejects with SERVICE_UNAVAILABLE and the system's code when its folder was removed", async () => {
  const folder = await createTempFolder();
  const blobs = await createFolderBlobs(folder);
  await blobs.checkWrite();
  await mkdir(join(folder, "a"));
  expect(await outcomeOf(blobs.get("a"))).toBe("SERVICE_UNAVAILABLE");
  await rm(folder, { recursive: true });
  expect(await outcomeOf(blobs.put("a", Buffer.from("a")))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(blobs.delete("a"))).toBe("SERVICE_UNAVAILABLE");
  for (const task of [blobs.checkRead, blobs.identity])
    expect(await task().then(() => "none", reasonOf)).toBe("ENOENT");
});

it("checks that it has free space", async () => {
  const folder = await createTempFolder();
  expect(await outcomeOf((await createFolderBlobs(folder)).checkRead())).toBe("accepted");
  const full = await createFolderBlobs(folder, Number.MAX_SAFE_INTEGER);
  for (const check of [full.checkRead, full.checkWrite])
    expect(await outcomeOf(check())).toBe("STORAGE_FULL");
  await full.put("a", Buffer.from("a"));
});

// A real S3 store writes an object atomically; the fake S3 server of these tests does not.
it("keeps exactly one of several blobs that are put concurrently with the same name", async () => {
  const blobs = await createFolderBlobs(await createTempFolder());
  const name = "a";
  const several = Array.from({ length: 5 }, () => randomBytes(200_000));
  const results = await Promise.all(several.map((blob) => outcomeOf(blobs.put(name, blob))));
  expect(results).toContain("accepted");
  expect(results.every((result) => ["accepted", "SERVICE_UNAVAILABLE"].includes(result))).toBe(true);
  const kept = await blobs.get(name);
  expect(several.some((blob) => kept && Buffer.compare(kept, blob) === 0)).toBe(true);
});

it("has an identity that every process of its folder reads, also if they start at once", async () => {
  const folder = await createTempFolder();
  const processes = await Promise.all(Array.from({ length: 10 }, () => createFolderBlobs(folder)));
  const identities = await Promise.all(processes.map((blobs) => blobs.identity()));
  expect(new Set(identities).size).toBe(1);
  expect(identities[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(await (await createFolderBlobs(folder)).identity()).toBe(identities[0]);
  const other = await createFolderBlobs(await createTempFolder());
  expect(await other.identity()).not.toBe(identities[0]);
  expect((await readdir(folder)).sort()).toEqual([".store-id", ".unfinished"]);
  expect(await readdir(join(folder, ".unfinished"))).toEqual([]);
  expect(await modeOf(join(folder, ".store-id"))).toBe("600");
});
