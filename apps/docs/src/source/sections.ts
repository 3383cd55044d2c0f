import { createMarkdownProcessor } from "@astrojs/markdown-remark";
import type { Element, RootContent } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { rehype } from "rehype";
import { SKIP, visit } from "unist-util-visit";
import type { Page } from "./page.ts";
import { escapeAngleBrackets } from "./tabs.ts";

/** The part of a page below one heading of the second or third level, or above the first of them. */
export interface PageSection {
  /** The heading's text. It is empty above the first heading. */
  heading: string;
  /** The heading's anchor. It is empty above the first heading. */
  anchor: string;
  /** Its plain text, without blocks of code. */
  text: string;
}

// The processor of the site itself, so that the anchors are those of the rendered pages.
const processor = await createMarkdownProcessor({ syntaxHighlight: false });
const html = rehype().data("settings", { fragment: true });

/** Splits a page at its headings of the second and third level. */
export async function sectionsOf({ markdown }: Pick<Page, "markdown">): Promise<PageSection[]> {
  const { code } = await processor.render(escapeAngleBrackets(markdown));
  let last: PageSection = { heading: "", anchor: "", text: "" };
  const sections = [last];
  for (const node of html.parse(code).children) {
    if (isHeading(node)) {
      last = { heading: textOf(node), anchor: String(node.properties.id), text: "" };
      sections.push(last);
    } else last.text = `${last.text} ${plainText(node)}`.trim();
    sections.push(...rowsWithAnchors(node));
  }
  return sections;
}

const isHeading = (node: RootContent): node is Element =>
  node.type === "element" && (node.tagName === "h2" || node.tagName === "h3");

/** The rows of a table that have an anchor, such as those of the error codes. Their headings are their first cells. */
function rowsWithAnchors(table: RootContent): PageSection[] {
  const rows: PageSection[] = [];
  visit(table, { type: "element", tagName: "tr" }, (row: Element) => {
    visit(row, { type: "element", tagName: "a" }, ({ properties }: Element) => {
      const cell = row.children.find((child) => child.type === "element");
      if (typeof properties.id === "string" && cell)
        rows.push({ heading: textOf(cell), anchor: properties.id, text: plainText(row) });
    });
  });
  return rows;
}

const blocks = new Set(["p", "li", "tr", "h4", "h5", "h6", "dt", "dd", "br"]);
const cells = new Set(["td", "th"]);

/** The text of a node with a space before each block and a dot between cells, and without blocks of code. */
function plainText(node: RootContent): string {
  const parts: string[] = [];
  visit(node, (child) => {
    if (child.type === "element" && child.tagName === "pre") return SKIP;
    if (child.type === "element" && blocks.has(child.tagName)) parts.push(" ");
    if (child.type === "element" && cells.has(child.tagName)) parts.push(" · ");
    if (child.type === "text") parts.push(child.value);
  });
  return parts
    .join("")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(?:· )+/g, "· ")
    .replace(/^[ ·]+/, "")
    .trim();
}
