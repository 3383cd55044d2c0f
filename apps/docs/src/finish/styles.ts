import type { Root } from "hast";
import { visit } from "unist-util-visit";

/**
 * Replaces each style attribute by a class, and links the pages to the stylesheet of these classes.
 *
 * @param classes receives the class of each style
 */
export function moveStyles(classes: Map<string, string>) {
  return function move(tree: Root) {
    visit(tree, "element", (element) => {
      if (element.content) move(element.content);
      const { style, className } = element.properties;
      if (typeof style === "string") {
        const name = classes.get(style) ?? `s${classes.size}`;
        classes.set(style, name);
        element.properties.className = [...(Array.isArray(className) ? className : []), name];
        delete element.properties.style;
      }
      if (element.tagName === "head")
        element.children.push({
          type: "element",
          tagName: "link",
          properties: { rel: ["stylesheet"], href: "/docs/styles.css" },
          children: [],
        });
    });
  };
}
