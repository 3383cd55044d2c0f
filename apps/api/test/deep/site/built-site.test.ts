import { hash } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { ErrorCode } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { openSite } from "../../../src/http/docs/site.ts";
import { errorMapping } from "../../../src/http/errors/mapping.ts";
import { problemType } from "../../../src/http/errors/problem-type.ts";
import { builtSite } from "../../support/built-site.ts";
import { fakeApp } from "../../support/fakes.ts";

/* The documentation as it is built, through the service. */
const publicUrl = "https://cards.example.com";
const { app } = fakeApp({ site: openSite(builtSite, { publicUrl, demo: false }) });
const names = (await readdir(builtSite, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.replace(/\/+/g, "/").slice(builtSite.length))
  .filter((name) => name !== "csp.json" && name !== "404.html");
const addressOf = (name: string) => `/docs/${name.replace(/(?:index)?\.html$/, "")}`.replace(/\/$/, "");
const pages = new Map<string, string>();
for (const name of names.filter((each) => each.endsWith(".html")))
  pages.set(addressOf(name), await textAt(addressOf(name)));

async function textAt(path: string): Promise<string> {
  return (await app.request(path)).text();
}

/** The addresses that lead nowhere, or to a page without the section. */
async function broken(targets: Iterable<string>): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(targets)].map(async (target) => {
      const { pathname, hash: fragment } = new URL(target, publicUrl);
      const { status } = await app.request(pathname);
      const ids = pages.get(pathname)?.matchAll(/ id="([^"]+)"/g) ?? [];
      const isThere =
        fragment === "" || [...ids].some(([, id]) => id === decodeURIComponent(fragment.slice(1)));
      return status === 200 && isThere ? [] : [target];
    }),
  );
  return found.flat();
}

it("has the first page, and a page of its own for unknown addresses", async () => {
  expect(pages.has("/docs")).toBe(true);
  const response = await app.request("/docs/nowhere", { headers: { accept: "text/html" } });
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining("<html")]);
});

it("serves every file with its type", async () => {
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) {
    const response = await app.request(addressOf(name));
    expect([name, response.status]).toEqual([name, 200]);
    expect([name, response.headers.get("content-type")]).not.toEqual([name, "application/octet-stream"]);
    await response.body?.cancel();
  }
});

it("shows neither the development address nor a demo key to platforms", async () => {
  const texts = names.filter((name) => /\.(?:html|md|txt|json|js)$/.test(name));
  const left: string[] = [];
  for (const name of texts.filter((each) => !/^(?:operate|contribute)\//.test(each))) {
    const text = await textAt(addressOf(name));
    for (const part of ["127.0.0.1:3000", "127.0.0.1%3A3000", demoKeys.first, demoKeys.second])
      if (text.includes(part)) left.push(`${name}: ${part}`);
  }
  expect(left).toEqual([]);
  const quickStart = await textAt("/docs/platforms/quick-start");
  expect(quickStart).toContain(publicUrl);
  expect(quickStart).toContain("YOUR_API_KEY");
});

it("has only inline scripts that its policy allows, and no inline style", async () => {
  for (const [address, html] of pages) {
    const policy = (await app.request(address)).headers.get("content-security-policy");
    for (const [, script = ""] of html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g))
      expect([address, policy]).toEqual([
        address,
        expect.stringContaining(`'sha256-${hash("sha256", script, "base64")}'`),
      ]);
    expect([address, /<style|<[a-z][^<>]*\s(?:style|on[a-z]+)="/.exec(html)?.[0]]).toEqual([
      address,
      undefined,
    ]);
  }
});

it("has only links that work, and none to other hosts' files", async () => {
  const links = [...pages].flatMap(([address, html]) =>
    [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(
      ([, link = ""]) => new URL(link.replaceAll("&amp;", "&"), publicUrl + address),
    ),
  );
  const own = links.filter(({ origin, pathname }) => origin === publicUrl && pathname.startsWith("/docs"));
  expect(await broken(own.map(({ pathname, hash: fragment }) => pathname + fragment))).toEqual([]);
  const loaded = [...pages.values()].flatMap((html) => [
    ...html.matchAll(/<(?:script|img|link)[^>]*\s(?:src|href)="(https?:[^"]+)"/g),
  ]);
  expect(loaded.map(([, url]) => url).filter((url) => !url?.startsWith(publicUrl))).toEqual([]);
});

it("explains every error code where the error's type points", async () => {
  const codes = Object.keys(errorMapping) as ErrorCode[];
  expect(await broken(codes.map(problemType))).toEqual([]);
});

it("has the pages that the published document links to", async () => {
  const document = await textAt("/openapi/v1/openapi.json");
  const targets = [...document.matchAll(/\]\((\/docs[^)]*)\)/g)].map(([, target = ""]) => target);
  expect(targets).toContain("/docs/platforms/quick-start");
  expect(await broken(targets)).toEqual([]);
  expect(document).not.toMatch(/"description":"[^"]*\bG\d/);
});
