import { readFile } from "node:fs/promises";
import { outsideCode, rewriteLinks } from "./links.ts";
import type { Page } from "./page.ts";

const project = new URL("../../../../", import.meta.url);
const maxDescriptionLength = 200;

/**
 * Reads a page from its Markdown file. The first heading is its title, the first paragraph its description.
 *
 * @param source the path of the file from the project's root
 * @param slugs the slug of each page by its source
 * @throws if the file does not start with a heading
 */
export async function readPage(source: string, slugs: ReadonlyMap<string, string>): Promise<Page> {
  const text = await readFile(new URL(source, project), "utf8");
  const { title, rest } = /^# (?<title>.+)\n(?<rest>[\s\S]*)$/.exec(text)?.groups ?? {};
  if (title === undefined || rest === undefined) throw new Error(`${source} does not start with a heading`);
  const markdown = rewriteLinks(outsideCode(rest, forReaders), source, slugs).trim();
  return {
    slug: slugs.get(source) ?? "",
    title: plain(title),
    description: descriptionOf(markdown),
    markdown: `${markdown}\n`,
  };
}

/**
 * The first paragraph as plain text, up to a whole sentence of at most 200 characters, without a last sentence that
 * announces what follows it on the page. The status of a decision is none.
 */
function descriptionOf(markdown: string): string {
  const paragraph = markdown.split(/\n\n+/).find((block) => /^(?!Status: )[\p{L}`[*]/u.test(block)) ?? "";
  const text = plain(paragraph.replaceAll("\n", " "))
    .replace(/(?<=\.) (?:(?!\. ).)*:$/, "")
    .replace(/:$/, ".");
  if (text.length <= maxDescriptionLength) return text;
  const end = text.lastIndexOf(". ", maxDescriptionLength);
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, maxDescriptionLength - 1)}…`;
}

/** Markdown without its marks for links, code and emphasis. */
const plain = (markdown: string) =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, "");

/** Markdown without comments, and without the lines of decisions that name source files. */
const forReaders = (markdown: string) =>
  markdown.replaceAll(/<!--[\s\S]*?-->\n*/g, "").replaceAll(/^- Change it: .*\n(?: {2}.*\n)*/gm, "");
