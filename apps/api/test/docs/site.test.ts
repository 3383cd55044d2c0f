import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../src/admission/api-key.ts";
import { openSite } from "../../src/http/docs/site.ts";
import { fakeApp } from "../support/fakes.ts";

const example = `curl http://127.0.0.1:3000/files -H 'authorization: Bearer ${demoKeys.first}' ${demoKeys.second}`;
const files = {
  "index.html": "<h1>Overview</h1>",
  "404.html": "<h1>No such page</h1>",
  "csp.json": JSON.stringify({ scripts: ["'sha256-AAAA'"] }),
  "search.json": JSON.stringify({ text: example }),
  "llms.txt": example,
  "favicon.svg": "<svg/>",
  "_astro/page.1a2b.js": "go();",
  "_astro/common.1a2b.css": "a{}",
  "platforms/kyc.html": `<pre>${example}</pre>`,
  "platforms/kyc.md": example,
  "operate/runbook.md": example,
  "operate/pictures/console.webp": "RIFF",
};
const facts = { publicUrl: "https://cards.example.com/$&/", demo: false };

let home: string;
let folder: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "cardbridge-site-"));
  folder = join(home, "site");
  await write(folder, files);
  await write(home, { "outside.html": "outside" });
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function write(into: string, contents: Record<string, string>) {
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(dirname(join(into, name)), { recursive: true });
    await writeFile(join(into, name), content);
  }
}

const appOf = (changes = {}) => fakeApp({ site: openSite(folder, { ...facts, ...changes }) }).app;
const get = (path: string, headers: Record<string, string> = {}) => appOf().request(path, { headers });

it.each([
  ["", "text/html; charset=utf-8", "no-cache"],
  ["/platforms/kyc", "text/html; charset=utf-8", "no-cache"],
  ["/platforms/kyc.md", "text/markdown; charset=utf-8", "no-cache"],
  ["/llms.txt", "text/plain; charset=utf-8", "no-cache"],
  ["/search.json", "application/json", "no-cache"],
  ["/favicon.svg", "image/svg+xml; charset=utf-8", "no-cache"],
  ["/operate/pictures/console.webp", "image/webp", "no-cache"],
  ["/_astro/page.1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
  ["/_astro/common.1a2b.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
])("serves /docs%s with its type, its cache time and its ETag", async (path, type, cache) => {
  const response = await get(`/docs${path}`);
  expect(response.status).toBe(200);
  const header = (name: string) => response.headers.get(name);
  expect([header("content-type"), header("cache-control")]).toEqual([type, cache]);
  expect((await get(`/docs${path}`, { "if-none-match": header("etag") ?? "" })).status).toBe(304);
});

it("allows only its own scripts, and those whose hashes the build lists", async () => {
  for (const path of ["/docs", "/docs/platforms/kyc", "/docs/nowhere"]) {
    const response = await get(path, { accept: "text/html" });
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self' 'sha256-AAAA'; style-src 'self'; img-src 'self' data:; " +
        "font-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    );
  }
});

describe("an address without a file", () => {
  it.each(["/docs/nowhere", "/docs/csp.json", "/docs/404", "/docs/platforms/kyc.html", "/docs/_astro"])(
    "%s gets the site's page in a browser, and the usual error elsewhere",
    async (path) => {
      const browser = await get(path, { accept: "text/html,application/xhtml+xml,*/*;q=0.8" });
      expect([browser.status, await browser.text()]).toEqual([404, files["404.html"]]);
      for (const accept of ["*/*", "application/json", "text/markdown"]) {
        const response = await get(path, { accept });
        expect([response.status, await response.json()]).toMatchObject([404, { code: "ROUTE_NOT_FOUND" }]);
      }
    },
  );

  it.each([
    "..",
    "%2e%2e",
    "..%2f",
    "%2e%2e%2f",
    "platforms/../..",
    "./..",
    "..%5c",
    "__proto__",
    "constructor",
  ])("%s does not leave the folder", async (part) => {
    for (const path of [`/docs/${part}/outside`, `/docs/${part}/outside.html`, `/docs/${part}`]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, expect.toBeOneOf([302, 404])]);
      expect(await response.text()).not.toContain("outside");
    }
  });
});

it("leads from the root, a trailing slash and the guides of earlier releases to the pages", async () => {
  const targets = {
    "/": "/docs",
    "/llms.txt": "/docs/llms.txt",
    "/docs/platforms/kyc/": "/docs/platforms/kyc",
    "/docs.md": "/docs/index.md",
    "/docs/platforms": "/docs",
    "/docs/guides": "/docs",
    "/docs/guides/errors": "/docs/platforms/errors",
    "/docs/guides/pagination": "/docs/platforms/cards",
    "/docs/guides/%2f%2fevil.test": "/docs/platforms/%2F%2Fevil.test",
  };
  for (const [path, target] of Object.entries(targets)) {
    const response = await get(path);
    expect([path, response.status, response.headers.get("location")]).toEqual([
      path,
      path === "/" ? 302 : 308,
      target,
    ]);
  }
});

const shown = (path: string, changes = {}) =>
  Promise.resolve(appOf(changes).request(path)).then((response) => response.text());

it.each(["/docs/platforms/kyc", "/docs/platforms/kyc.md", "/docs/llms.txt", "/docs/search.json"])(
  "the examples of %s have the service's address, and the key only where it is valid",
  async (path) => {
    const text = await shown(path);
    expect(text).toContain("curl https://cards.example.com/$&/files -H 'authorization: Bearer YOUR_API_KEY'");
    expect(text).not.toMatch(/127\.0\.0\.1|cb_test_Demo/);
    expect(await shown(path, { demo: true })).toContain(`Bearer ${demoKeys.first}`);
  },
);

it("an address with markup does not leave an example, and operators' pages keep the address of a process", async () => {
  const text = await shown("/docs/platforms/kyc", { publicUrl: 'https://a.test/"<b>' });
  expect(text).toContain("curl https://a.test/%22%3Cb%3E/files");
  expect(await shown("/docs/operate/runbook.md")).toBe(example);
});

it("is being built until its folder is complete, and then served, and served again after another build", async () => {
  const later = join(home, "later");
  const { app } = fakeApp({ site: openSite(later, facts) });
  const pending = async () => {
    const response = await app.request("/docs/platforms/kyc");
    const { status, headers } = response;
    expect([status, headers.get("retry-after"), headers.get("refresh")]).toEqual([503, "3", "3"]);
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-/,
    );
    expect(await response.text()).toContain("The documentation is being built");
  };
  await pending();
  const { "csp.json": policy, ...others } = files;
  await write(later, others);
  await pending();
  expect((await app.request("/openapi/v1/openapi.json")).status).toBe(200);
  await write(later, { "csp.json": policy });
  expect((await app.request("/docs/platforms/kyc")).status).toBe(200);
  await write(later, { "index.html": "<h1>New</h1>", "platforms/new.html": "new" });
  await utimes(join(later, "csp.json"), 1, 1);
  expect(await (await app.request("/docs")).text()).toBe("<h1>New</h1>");
  expect((await app.request("/docs/platforms/new")).status).toBe(200);
});

it("shares one build among concurrent requests, and is unavailable where a file of its listing has gone", async () => {
  const replaced = join(home, "replaced");
  await write(replaced, files);
  const site = openSite(replaced, facts);
  const builds = await Promise.all(Array.from({ length: 50 }, () => site.current()));
  expect(new Set(builds).size).toBe(1);
  const { app, lines } = fakeApp({ site });
  await rm(join(replaced, "platforms/kyc.html"));
  await rm(join(replaced, "404.html"));
  for (const path of ["/docs/platforms/kyc", "/docs/nowhere"]) {
    const response = await app.request(path, { headers: { accept: "text/html" } });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "3"]);
  }
  expect(lines.filter((line) => line.includes("unexpected"))).toEqual([]);
});

it("does not prevent the service's start with a build that cannot be read", async () => {
  const broken = join(home, "broken");
  await write(broken, { ...files, "csp.json": "{" });
  const site = openSite(broken, facts);
  expect(await site.isBuilt()).toBe(true);
  const { app, lines } = fakeApp({ site });
  expect((await app.request("/docs")).status).toBe(500);
  expect(lines.filter((line) => line.includes("unexpected"))).toHaveLength(1);
  await write(broken, files);
  expect((await app.request("/docs")).status).toBe(200);
  expect(await openSite(join(broken, "index.html"), facts).isBuilt()).toBe(false);
});
