import type { Element, Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { visit } from "unist-util-visit";

/** Marks short code in the cells of tables: the name of a status or a field stays on one line. */
export function markShortCode() {
  return (tree: Root) => {
    visit(tree, { type: "element", tagName: "td" }, (cell: Element) => {
      visit(cell, { type: "element", tagName: "code" }, (code: Element) => {
        if (/^\S{1,20}$/.test(textOf(code))) code.properties.className = ["short"];
      });
    });
  };
}
