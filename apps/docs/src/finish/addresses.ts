import type { Root } from "hast";
import { visit } from "unist-util-visit";

/** Removes the names of files from the addresses of links: pages are served without `.html`. */
export function shortenAddresses() {
  return (tree: Root) => {
    visit(tree, { type: "element", tagName: "a" }, ({ properties }) => {
      const { href } = properties;
      if (typeof href === "string" && href.startsWith("/docs"))
        properties.href = href.replace(/(?:\/index)?\.html(?=#|$)/, "");
    });
  };
}
