import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { site } from "./support/site.ts";

const maxWeight = 150_000;
const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith(".html"));
const pages = new Map(
  await Promise.all(
    names.map(async (name) => [addressOf(name), await readFile(new URL(name, site), "utf8")] as const),
  ),
);

function addressOf(name: string): string {
  return name === "index.html" ? "/docs" : `/docs/${name.replace(/\.html$/, "")}`;
}

it("every link between pages leads to a page, and its fragment to an element", () => {
  expect(pages.size).toBeGreaterThan(20);
  const broken: string[] = [];
  for (const [address, html] of pages)
    for (const [, target = ""] of html.matchAll(/<a [^>]*?href="((?:\/docs|#)[^"]*)"/g)) {
      const [path = "", fragment] = target.split("#");
      const page = pages.get(path || address);
      const found = page ?? (existsSync(new URL(path.replace(/^\/docs\//, ""), site)) ? "" : undefined);
      if (found === undefined) broken.push(`${address}: ${target}`);
      else if (fragment && !found.includes(`id="${decodeURIComponent(fragment)}"`))
        broken.push(`${address}: ${target}`);
    }
  expect([...new Set(broken)]).toEqual([]);
});

it("no page has inline styles, which the Content-Security-Policy refuses", () => {
  const styled = [...pages].filter(([, html]) => /<[a-z][^>]* style="|<style/.test(html));
  expect(styled.map(([address]) => address)).toEqual([]);
});

it("the first view of a page is at most 150 kB, compressed", async () => {
  const sizes = new Map<string, number>();
  const sizeOf = async (path: string) => {
    const size = sizes.get(path) ?? gzipSync(await readFile(new URL(path, site))).length;
    sizes.set(path, size);
    return size;
  };
  const heavy: string[] = [];
  for (const [address, html] of pages) {
    const parts = new Set(
      [...html.matchAll(/<(?:script|img|link)[^>]*? (?:src|href)="\/docs\/([^"]+\.(?:js|css|svg))"/g)].map(
        ([, path = ""]) => path,
      ),
    );
    let weight = gzipSync(html).length;
    for (const path of parts) weight += await sizeOf(path);
    if (weight > maxWeight) heavy.push(`${address}: ${weight}`);
  }
  expect(heavy).toEqual([]);
});
