import type { Element, Root } from "hast";
import { toString as textOf } from "hast-util-to-string";
import { visit } from "unist-util-visit";

/**
 * Labels each cell of a table with the head of its column, which narrow screens show beside it. In a table of two columns,
 * the first cell is the label of the second.
 */
export function labelCells() {
  return (tree: Root) => {
    visit(tree, { type: "element", tagName: "table" }, (table: Element) => {
      const labels: string[] = [];
      visit(table, { type: "element", tagName: "th" }, (head: Element) => {
        labels.push(textOf(head));
      });
      if (labels.length < 3) return;
      visit(table, { type: "element", tagName: "tr" }, (row: Element) => {
        const cells = row.children.filter((child): child is Element => child.type === "element");
        for (const [index, cell] of cells.entries())
          if (cell.tagName === "td") cell.properties.dataLabel = labels[index] ?? "";
      });
    });
  };
}
