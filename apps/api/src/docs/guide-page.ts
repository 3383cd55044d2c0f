import type { Guide } from "./guides.ts";
import { guidesPath } from "./paths.ts";
import { escapeHtml, renderMarkdown } from "./render-markdown.ts";

interface Options {
  guides: readonly Guide[];
  /** Replaces the address of a development service in examples. */
  publicUrl: string;
  markdown: string;
}

const developmentUrl = "http://127.0.0.1:3000";

/** Renders a guide as a page that needs no script. */
export function guidePage({ slug, title }: Guide, { guides, publicUrl, markdown }: Options): string {
  const items = guides.map(
    (guide) =>
      `<li><a href="${guidesPath}/${guide.slug}"${guide.slug === slug ? ' aria-current="page"' : ""}>${escapeHtml(guide.title)}</a></li>`,
  );
  const menu = `<ul>${items.join("\n")}\n<li><a href="/docs">API reference</a></li></ul>`;
  const content = renderMarkdown(markdown.replaceAll(developmentUrl, publicUrl), linkOf);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · cardbridge</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${guidesPath}/styles.css">
  </head>
  <body>
    <header><a class="brand" href="/docs">cardbridge</a><details class="menu"><summary>Guides</summary><nav aria-label="Guides, small screens">${menu}</nav></details></header>
    <div class="layout">
      <nav class="side" aria-label="Guides">${menu}</nav>
      <main>
${content}
      </main>
    </div>
  </body>
</html>
`;

  /** Maps links between the project's pages to the pages that the service serves. Other links become text. */
  function linkOf(href: string, text: string): string | undefined {
    if (/^(?:https?:|#|\/)/.test(href)) return href;
    const [path = "", hash] = href.split("#");
    const name = path.split("/").at(-1)?.replace(/\.md$/, "").toLowerCase();
    if (!guides.some((guide) => guide.slug === name)) return undefined;
    // In the repository the decisions have longer anchors, so links to them name the decision in their text only.
    const anchor = name === "decisions" && /^G\d+$/.test(text) ? text.toLowerCase() : hash;
    return `${guidesPath}/${name}${anchor === undefined ? "" : `#${anchor}`}`;
  }
}
