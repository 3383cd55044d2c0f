import { documentPath } from "../../../api/src/config/paths.ts";
import { developmentUrl } from "../document/document.ts";
import { sections } from "../navigation.ts";
import type { Page } from "../source/page.ts";
import { markdownAddress, markdownOf } from "./markdown.ts";

const summary =
  "cardbridge is a gateway between platforms and a card provider: platforms list the cards of their users, submit " +
  "the identity verification (KYC) of a user, and receive changes as webhooks, over REST with an API key.";

/** The sections that an agent needs to build against the interface, in this order. */
const main = ["platforms", "reference", "apps"];

/** The file llms.txt (llmstxt.org): a list of all pages with their descriptions. */
export function llmsIndex(pages: readonly Page[]): string {
  const optional = sections.map(({ folder }) => folder).filter((folder) => !main.includes(folder));
  const blocks = [
    "# cardbridge",
    `> ${summary}`,
    "The links lead to Markdown. The addresses and the API key in it are those of this service.",
    ...main.map((folder) => listOf(titleOf(folder), pagesOf(pages, [folder]))),
    ["## For tools", "", ...tools].join("\n"),
    listOf("Optional", pagesOf(pages, optional)),
  ];
  return `${blocks.filter(Boolean).join("\n\n")}\n`;
}

/** The file llms-full.txt: the pages for platforms and internal apps, and the reference, as one file. */
export function llmsFull(pages: readonly Page[]): string {
  return pagesOf(pages, main)
    .map((page) => `${markdownOf(page, pages).trim()}\n\nSource: ${absolute(markdownAddress(page.slug))}\n`)
    .join("\n---\n\n");
}

const tools = [
  ["OpenAPI document", documentPath, "all operations of the REST interface, for code generators"],
  [
    "All pages in one file",
    "/docs/llms-full.txt",
    "the pages for platforms and internal apps, and the reference",
  ],
].map(([title = "", path = "", text = ""]) => `- [${title}](${absolute(path)}): ${text}`);

/** The pages of these sections. The overview of the site belongs to the platforms. */
function pagesOf(pages: readonly Page[], folders: readonly string[]): Page[] {
  return folders.flatMap((folder) =>
    pages.filter(({ slug }) => (slug === "" ? "platforms" : slug.split("/")[0]) === folder),
  );
}

function listOf(title: string, pages: readonly Page[]): string {
  if (pages.length === 0) return "";
  const lines = pages.map(
    ({ slug, title, description }) => `- [${title}](${absolute(markdownAddress(slug))}): ${description}`,
  );
  return [`## ${title}`, "", ...lines].join("\n");
}

const titleOf = (folder: string) =>
  sections.find((section) => section.folder === folder)?.title ?? "API reference";

function absolute(path: string): string {
  return `${developmentUrl}${path}`;
}
