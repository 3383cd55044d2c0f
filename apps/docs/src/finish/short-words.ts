import type { Element, Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { visit } from "unist-util-visit";

/** Marks what stays on one line in tables: short code, such as the name of a status, and cells of one short word. */
export function markShortWords() {
  return (tree: Root) => {
    visit(tree, { type: "element", tagName: "td" }, (cell: Element) => {
      visit(cell, "element", (element: Element) => {
        if (element !== cell && element.tagName !== "code") return;
        if (/^\s*\S{1,16}\s*$/.test(textOf(element))) element.properties.className = ["short"];
      });
    });
  };
}
