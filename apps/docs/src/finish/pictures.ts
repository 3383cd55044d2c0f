import { readFile } from "node:fs/promises";
import type { Element, Root } from "hast";
import { rehype } from "rehype";
import { visit } from "unist-util-visit";

const sources = new URL("../../../../docs/", import.meta.url);
const parser = rehype().data("settings", { fragment: true });

/**
 * Replaces each SVG picture by its elements, which follow the colours of the page. The alternative text is its label.
 *
 * @throws if a picture has a style element, which a strict Content-Security-Policy refuses
 */
export function inlinePictures() {
  return async (tree: Root) => {
    const pictures: Element[] = [];
    visit(tree, { type: "element", tagName: "img" }, (image, _, parent) => {
      if (pathOf(image) === undefined) return;
      pictures.push(image);
      if (parent?.type === "element" && parent.tagName === "p" && parent.children.length === 1)
        Object.assign(parent, { tagName: "figure", properties: { className: ["picture"] } });
    });
    await Promise.all(pictures.map(inline));
  };
}

/** The path of an SVG picture below docs. Other images have none. */
const pathOf = ({ properties: { src } }: Element) =>
  /^\/docs\/(?<path>[^?#]+\/pictures\/[^?#/]+\.svg)$/.exec(String(src))?.groups?.path;

async function inline(image: Element): Promise<void> {
  const path = pathOf(image) ?? "";
  const picture = parser.parse(await readFile(new URL(path, sources), "utf8"));
  const svg = picture.children.find((child): child is Element => child.type === "element");
  if (svg?.tagName !== "svg") throw new Error(`docs/${path} is not an SVG picture`);
  visit(svg, { type: "element", tagName: "style" }, () => {
    throw new Error(
      `docs/${path} has a style element; use attributes such as fill="var(--diagram-fill, #eee)"`,
    );
  });
  image.properties = {
    ...svg.properties,
    className: ["diagram"],
    role: "img",
    ariaLabel: String(image.properties.alt ?? ""),
  };
  image.tagName = "svg";
  image.children = svg.children;
}
