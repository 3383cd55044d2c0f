import { Marked } from "marked";

const languages: Record<string, string> = {
  sh: "Shell",
  ts: "TypeScript",
  json: "Response",
  text: "Output",
};

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");

/** The anchor of a heading, which is the same on the page and in the repository. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

/**
 * Renders the project's Markdown. Headings have anchors, code has a label, and HTML is shown as text.
 *
 * @param linkOf maps a link's target and its text; a link without a target becomes text
 */
export function renderMarkdown(
  markdown: string,
  linkOf: (href: string, text: string) => string | undefined,
): string {
  /** The number of uses of each anchor. A repeated anchor gets a number, as on GitHub. */
  const anchors = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const name = anchorOf(text.replaceAll("`", ""));
        const earlier = anchors.get(name) ?? 0;
        anchors.set(name, earlier + 1);
        const anchor = earlier === 0 ? name : `${name}-${earlier}`;
        const content = this.parser.parseInline(tokens);
        return depth === 1
          ? `<h1>${content}</h1>\n`
          : `<h${depth} id="${anchor}">${content} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      code({ text, lang = "" }) {
        const [language = ""] = lang.split(" ");
        const label = languages[language];
        const caption = label === undefined ? "" : `<figcaption>${label}</figcaption>`;
        return `<figure class="code">${caption}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
      },
      table(token) {
        const cells = (row: typeof token.header, tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
      },
      link({ href, text, tokens }) {
        const target = linkOf(href, text);
        const content = this.parser.parseInline(tokens);
        return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
      },
      html({ text }) {
        const isAnchor = /^(?:<a id="[\w-]+">|<\/a>|<a id="[\w-]+"><\/a>\n*)$/.test(text);
        return isAnchor ? text : escapeHtml(text);
      },
    },
  });
  return marked.parse(markdown, { async: false });
}
