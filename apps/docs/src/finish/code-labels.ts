import type { Root } from "hast";
import { visit } from "unist-util-visit";

/** Names each block of code: one that scrolls sideways becomes a region, which needs a name of its own. */
export function labelCode() {
  return (tree: Root) => {
    let count = 0;
    visit(tree, { type: "element", tagName: "pre" }, ({ properties }) => {
      count += 1;
      properties.ariaLabel = `Code ${count}`;
    });
  };
}
