import { outsideCode } from "../source/links.ts";
import type { Page } from "../source/page.ts";

/** The address of a page's Markdown below /docs. */
export const markdownAddress = (slug: string): string => `/docs/${slug === "" ? "index" : slug}.md`;

/** A page as one file of Markdown: with its title, the labels of its tabs, and links to the Markdown of other pages. */
export function markdownOf({ title, markdown }: Page, pages: readonly Page[]): string {
  const slugs = new Set(pages.map(({ slug }) => slug));
  const linked = outsideCode(markdown, (text) =>
    text.replaceAll(/\]\(\/docs\/?([\w./-]*)(#[^)\s]*)?\)/g, (link, slug: string, anchor = "") =>
      slugs.has(slug) ? `](${markdownAddress(slug)}${anchor})` : link,
    ),
  );
  return `# ${title}\n\n${labelTabs(linked)}`;
}

/** Writes the label of a tab above its code. */
const labelTabs = (markdown: string): string =>
  markdown.replaceAll(/^(```\w+) tab="([^"]+)".*$/gm, "**$2**\n\n$1");
