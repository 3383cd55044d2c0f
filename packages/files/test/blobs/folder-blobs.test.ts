import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFolderBlobs } from "../../src/index.ts";
import { bundleInto, outputOf } from "../support/bundle.ts";
import { createTempFolder, makeFolder } from "../support/folder.ts";
import { outcomeOf } from "../support/outcome.ts";

let programs: string;
beforeAll(async () => {
  programs = await makeFolder();
  await bundleInto(programs, {
    "put-until-killed": "test/support/put-until-killed.ts",
    "put-once": "test/support/put-once.ts",
  });
});

afterAll(() => rm(programs, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

it("creates its folder with access for the owner only", async () => {
  const folder = join(await createTempFolder(), "deep", "blobs");
  await (await createFolderBlobs(folder)).put("a", Buffer.from("a"));
  expect([await modeOf(folder), await modeOf(join(folder, ".unfinished"))]).toEqual(["700", "700"]);
  expect(await modeOf(join(folder, "a"))).toBe("600");
});

it("keeps the existing blob when its name is put again, and leaves no unfinished file", async () => {
  const folder = await createTempFolder();
  const blobs = await createFolderBlobs(folder);
  await blobs.put("a", Buffer.from("first"));
  expect(await outcomeOf(blobs.put("a", Buffer.from("second")))).toBe("SERVICE_UNAVAILABLE");
  expect(await blobs.get("a")).toEqual(Buffer.from("first"));
  expect(await readdir(join(folder, ".unfinished"))).toEqual([]);
});

it("removes unfinished files older than an hour, and no others", async () => {
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

it("is unavailable when its folder was removed", async () => {
  const folder = await createTempFolder();
  const blobs = await createFolderBlobs(folder);
  await rm(folder, { recursive: true });
  expect(await outcomeOf(blobs.put("a", Buffer.from("a")))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(blobs.delete("a"))).toBe("SERVICE_UNAVAILABLE");
});

it("is unavailable when a name is not a file", async () => {
  const folder = await createTempFolder();
  const blobs = await createFolderBlobs(folder);
  await mkdir(join(folder, "a"));
  expect(await outcomeOf(blobs.get("a"))).toBe("SERVICE_UNAVAILABLE");
});

it("reports STORAGE_FULL and keeps the existing blobs", async () => {
  const folder = await createTempFolder();
  const { stdout, stderr } = await outputOf("sh", [
    "-c",
    withLittleSpace,
    programs,
    folder,
    process.execPath,
  ]);
  expect(stdout, stderr).not.toBe("");
  expect(JSON.parse(stdout)).toEqual({
    outcome: "STORAGE_FULL",
    files: [".unfinished", "small"],
    kept: 1_000,
    large: null,
  });
});

/** Runs on a disk of 64 KB where mounting is allowed, otherwise under a file size limit. */
const withLittleSpace = `
if unshare --mount --map-root-user sh -c 'mount -t tmpfs -o size=64k tmpfs "$1"' - "$1" 2>/dev/null; then
  exec unshare --mount --map-root-user sh -c 'mount -t tmpfs -o size=64k tmpfs "$2" && "$3" "$1/put-once.js" "$2" 200000' - "$0" "$1" "$2"
fi
ulimit -f 128
exec "$2" "$0/put-once.js" "$1" 200000
`;

it("never returns a partial blob of a process that was killed", async () => {
  const folder = await createTempFolder();
  const size = 8_000_000;
  const unfinished = () => readdirSync(join(folder, ".unfinished")).length;
  // A fast put can finish before the kill. Rounds without an unfinished file prove nothing, so more follow.
  for (let round = 0; round < 5 || unfinished() === 0; round += 1) {
    const child = spawn(process.execPath, [join(programs, "put-until-killed.js"), folder, String(size)]);
    const ended = once(child, "close");
    await untilHalfway(folder, size, round + 1);
    child.kill("SIGKILL");
    await ended;
  }
  const blobs = await createFolderBlobs(folder);
  const kept = (await readdir(folder)).filter((name) => name !== ".unfinished");
  expect(kept.length).toBeGreaterThan(5);
  for (const name of kept) {
    const expected = Buffer.alloc(size, Number(name.split("_")[1]) % 256);
    expect(expected.equals((await blobs.get(name)) ?? Buffer.alloc(0))).toBe(true);
  }
});

/** Waits until a process has put two more blobs and has written a part of another. */
async function untilHalfway(folder: string, size: number, rounds: number): Promise<void> {
  const unfinished = join(folder, ".unfinished");
  const before = new Set(existsSync(unfinished) ? sizesIn(unfinished).map(([path]) => path) : []);
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!existsSync(unfinished)) continue;
    const kept = sizesIn(folder);
    const half = [...kept, ...sizesIn(unfinished)].some(
      ([path, bytes]) => bytes > 0 && bytes < size && !before.has(path),
    );
    if (half && kept.length > 2 * rounds) return;
  }
}

function sizesIn(folder: string): [string, number][] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [
      join(folder, name),
      statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
    ]);
}

// A real S3 store puts an object as a whole; the fake one of these tests does not.
it("keeps exactly one of several blobs put concurrently under one name", async () => {
  const blobs = await createFolderBlobs(await createTempFolder());
  const name = "a";
  const several = Array.from({ length: 5 }, () => randomBytes(200_000));
  const results = await Promise.all(several.map((blob) => outcomeOf(blobs.put(name, blob))));
  expect(results).toContain("accepted");
  expect(results.every((result) => ["accepted", "SERVICE_UNAVAILABLE"].includes(result))).toBe(true);
  const kept = await blobs.get(name);
  expect(several.some((blob) => kept && Buffer.compare(kept, blob) === 0)).toBe(true);
});
