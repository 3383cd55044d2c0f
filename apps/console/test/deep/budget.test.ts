import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";

const folder = new URL("../../dist/web/", import.meta.url);

it("loads at most 200 kB of compressed script for the first view", async () => {
  const page = await readFile(new URL("index.html", folder), "utf8");
  const scripts = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path = ""]) => path);
  const sizes = await Promise.all(
    scripts.map(async (path) => gzipSync(await readFile(new URL(path, folder)), { level: 9 }).length),
  );
  expect(scripts.length).toBeGreaterThan(1);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
});
