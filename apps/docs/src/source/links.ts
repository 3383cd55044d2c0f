import { posix } from "node:path";

/** The base path of the site. */
const basePath = "/docs";

/**
 * Rewrites the relative links and pictures of a page's Markdown to addresses of the site. Links to other files than
 * pages and pictures become text.
 *
 * @param source the path of the page from the project's root
 * @param slugs the slug of each page by its source
 */
export function rewriteLinks(markdown: string, source: string, slugs: ReadonlyMap<string, string>): string {
  const withPictures = markdown.replaceAll(
    /(!?\[[^\]]*\]\()(pictures\/[^)\s]+\))/g,
    (_, start: string, end: string) =>
      `${start}${basePath}/${posix.dirname(source).replace(/^docs\//, "")}/${end}`,
  );
  return outsideCode(withPictures, (text) =>
    text.replaceAll(
      /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (link, label: string, target: string) => {
        if (/^(?:[a-z]+:|#|\/)/.test(target)) return link;
        const [path = "", fragment] = target.split("#");
        const slug = slugs.get(posix.normalize(posix.join(posix.dirname(source), path)));
        if (slug === undefined) return label;
        return `[${label}](${addressOf(slug)}${fragment === undefined ? "" : `#${fragment}`})`;
      },
    ),
  );
}

/** The address of a page. */
export const addressOf = (slug: string): string => (slug === "" ? basePath : `${basePath}/${slug}`);

/** Changes Markdown, except in its blocks of code. */
export function outsideCode(markdown: string, change: (text: string) => string): string {
  return markdown
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join("");
}
