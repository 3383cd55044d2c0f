import type { Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { visit } from "unist-util-visit";

/** Marks what stays on one line: short code in a text, such as the name of a header, and cells of one short word. */
export function markShortWords() {
  return (tree: Root) => {
    visit(tree, "element", (element, _index, parent) => {
      const isInText = parent?.type === "element" && parent.tagName !== "pre";
      if (element.tagName !== "td" && !(element.tagName === "code" && isInText)) return;
      if (/^\s*\S{1,16}\s*$/.test(textOf(element))) element.properties.className = ["short"];
    });
  };
}
