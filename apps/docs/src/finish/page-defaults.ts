import type { Root } from "hast";
import { SKIP, visit } from "unist-util-visit";

/**
 * Removes what the generator adds without being asked: the dark theme, which a page without a script would keep, and
 * links to e-mail addresses, which are all examples.
 */
export function removeDefaults() {
  return (tree: Root) => {
    visit(tree, "element", ({ tagName, properties, children }, index, parent) => {
      if (tagName === "html") delete properties.dataTheme;
      if (!String(properties.href).startsWith("mailto:") || !parent || index === undefined) return;
      parent.children.splice(index, 1, ...children);
      return [SKIP, index];
    });
  };
}
