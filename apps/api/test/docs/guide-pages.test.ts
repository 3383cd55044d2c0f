import { readFile } from "node:fs/promises";
import type { ErrorCode } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { guidesIn } from "../../src/docs/guides.ts";
import { errorMapping } from "../../src/errors/mapping.ts";
import { docsFolder } from "../support/docs-script.ts";
import { fakeApp } from "../support/fakes.ts";

const { app } = fakeApp();
const paths = guidesIn(docsFolder, "").map(({ slug }) => `/docs/platforms/${slug}`);
const htmlOf = async (path: string) => (await app.request(path)).text();
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
const withoutCode = (text: string) => text.replaceAll(/`[^`]*`/g, "");

/** Every string under the key `description`. */
function descriptionsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "description" && typeof inner === "string" ? [inner] : descriptionsOf(inner),
  );
}

/** The link targets that do not exist. */
async function missing(targets: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    [...new Set(targets)].map(async (target) => {
      const { pathname, hash } = new URL(target, "http://127.0.0.1:3000");
      const response = await app.request(pathname);
      const known = hash === "" || idsOf(await response.text()).includes(hash.slice(1));
      return response.status === 200 && known ? [] : [target];
    }),
  );
  return found.flat();
}

describe("each guide", () => {
  it.each(paths)("%s has a heading, and links only to existing targets", async (path) => {
    const html = await htmlOf(path);
    expect(html).toContain("<h1>");
    expect(new Set(idsOf(html)).size).toBe(idsOf(html).length);
    const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    const own = links.filter((href) => /^[/#]/.test(href));
    expect(await missing(own.map((href) => (href.startsWith("#") ? path + href : href)))).toEqual([]);
    expect(links.filter((href) => !/^(?:[/#]|https:|data:,)/.test(href))).toEqual([]);
  });

  it("is in the menu of the docs page", async () => {
    const { info } = (await (await app.request("/docs/openapi.json")).json()) as {
      info: { description: string };
    };
    for (const path of paths) expect(info.description).toContain(`](${path})`);
  });
});

it("every error code has a row, which an error's type references", async () => {
  const response = await app.request("/openapi/v1/nothing");
  const { type } = (await response.json()) as { type: string };
  expect(type).toBe("/docs/platforms/errors#route_not_found");
  const codes = Object.keys(errorMapping) as ErrorCode[];
  expect(
    await missing([type, ...codes.map((code) => type.replace("route_not_found", code.toLowerCase()))]),
  ).toEqual([]);
});

it("every decision has a section, without the paths of source files", async () => {
  const page = await readFile(new URL("docs/platforms/decisions.md", docsFolder), "utf8");
  const ids = [...page.matchAll(/^## (G\d+) /gm)].map(([, id = ""]) => id.toLowerCase());
  expect(ids.length).toBeGreaterThan(30);
  expect(await missing(ids.map((id) => `/docs/platforms/decisions#${id}`))).toEqual([]);
  expect(page).toContain("packages/domain/src/");
  expect(await htmlOf("/docs/platforms/decisions")).not.toMatch(/packages\/|apps\/|Change it/);
});

it("text in angle brackets is shown, on the guides and on the docs page", async () => {
  expect(await htmlOf("/docs/platforms/kyc")).toContain("&lt;20000");
  const descriptions = descriptionsOf(await (await app.request("/docs/openapi.json")).json());
  expect(descriptions.filter((text) => text.includes("Bearer \\<key>")).length).toBeGreaterThan(0);
  expect(descriptions.filter((text) => /(?<!\\)</.test(withoutCode(text)))).toEqual([]);
});

it("the docs page links to the decisions, and contains none of their numbers", async () => {
  const descriptions = descriptionsOf(await (await app.request("/docs/openapi.json")).json());
  const links = descriptions.flatMap((text) =>
    [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, target = ""]) => target),
  );
  expect(links).toContain("/docs/platforms/decisions");
  expect(await missing(links)).toEqual([]);
  expect(descriptions.filter((text) => /\bG\d/.test(text))).toEqual([]);
});
