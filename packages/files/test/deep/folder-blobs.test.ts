import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createFolderBlobs } from "../../src/index.ts";
import { bundleInto } from "../support/bundle.ts";
import { createTempFolder, makeFolder } from "../support/folder.ts";

const run = promisify(execFile);
/** The bundled programs that put blobs until they are killed, and on a full disk. */
let programs: string;
beforeAll(async () => {
  programs = await makeFolder();
  await bundleInto(programs, {
    "put-until-killed": "test/support/put-until-killed.ts",
    "put-once": "test/support/put-once.ts",
  });
});

afterAll(() => rm(programs, { recursive: true }));

it("reports STORAGE_FULL and keeps the existing blobs", async () => {
  const folder = await createTempFolder();
  const { stdout } = await run("sh", ["-c", withLittleSpace, programs, folder, process.execPath]);
  const files = [".unfinished", "small"];
  expect(JSON.parse(stdout)).toEqual({ outcome: "STORAGE_FULL", files, kept: 1_000, large: null });
});

/** Uses a disk of 64 KB where mounting is allowed, and a file size limit otherwise. */
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
  // A fast put can finish before the kill. Rounds without an unfinished file prove nothing, so they are repeated.
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

/** Waits until a process has put two more blobs and has partly written another blob. */
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
