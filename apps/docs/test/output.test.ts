import { expect, it } from "vitest";
import { collectPages } from "../src/collect-pages.ts";
import { llmsFull, llmsIndex } from "../src/output/llms.ts";
import { markdownAddress, markdownOf } from "../src/output/markdown.ts";
import { addressOf } from "../src/source/links.ts";

const pages = await collectPages();
const addresses = pages.map(({ slug }) => markdownAddress(slug));
const rendered = pages.map(({ slug }) => addressOf(slug));
const files = ["/openapi/v1/openapi.json", "/docs/llms-full.txt"];
const index = llmsIndex(pages);

it("llms.txt has a title, a summary, and a link with a description to each page", () => {
  expect(index).toMatch(/^# cardbridge\n\n> .+\n/);
  const links = [...index.matchAll(/^- \[.+?\]\(http:\/\/127\.0\.0\.1:3000([^)]+)\): .+$/gm)].map(
    ([, path]) => path,
  );
  expect(links.toSorted()).toEqual([...addresses, ...files].toSorted());
});

it("a description in llms.txt announces nothing that it does not have", () => {
  expect(index.match(/^.*:$/gm)).toBeNull();
});

it("llms.txt has the pages of operators and contributors in its optional part", () => {
  const [main, optional] = index.split("## Optional\n");
  expect(main).not.toMatch(/\/docs\/(?:operate|contribute)\//);
  expect(optional).not.toMatch(/\/docs\/(?:platforms|reference|apps)\//);
});

it("llms-full.txt has the pages for platforms and the reference", () => {
  const full = llmsFull(pages);
  for (const { slug, title } of pages)
    expect(full.includes(`\nSource: http://127.0.0.1:3000${markdownAddress(slug)}\n`), title).toBe(
      !/^(?:operate|contribute)\//.test(slug),
    );
});

it("the links of a page's Markdown lead to the Markdown of existing pages", () => {
  for (const page of pages) {
    const links = [...markdownOf(page, pages).matchAll(/\]\((\/docs[^)#\s]*)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => path.endsWith(".md") && !addresses.includes(path))).toEqual([]);
    expect(
      links.filter((path) => rendered.includes(path)),
      page.slug,
    ).toEqual([]);
  }
});

it("the Markdown of a page names the language of each tab", () => {
  const page = { slug: "a", title: "A", description: "", markdown: '```sh tab="curl"\nls\n```\n' };
  expect(markdownOf(page, pages)).toBe("# A\n\n**curl**\n\n```sh\nls\n```\n");
});

it("no page repeats that something is our decision", () => {
  for (const { slug, markdown } of pages)
    expect(markdown.match(/our decision/gi)?.length ?? 0, slug).toBeLessThan(5);
});
