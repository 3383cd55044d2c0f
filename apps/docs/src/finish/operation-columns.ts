import type { Element, Root, RootContent } from "hast";
import { visit } from "unist-util-visit";

/**
 * Gives the page of an operation two columns: the example with its response, and everything else. On a narrow page the one
 * is above the other, in the order of the text. Other pages have no heading `example` with a heading `request` behind it.
 */
export function splitOperation() {
  return (tree: Root) => {
    visit(tree, { type: "element", tagName: "div" }, (content) => {
      const { children } = content;
      if (!String(content.properties.className).includes("sl-markdown-content")) return;
      const [example, request] = ["example", "request"].map((id) =>
        children.findIndex((one) => isHeading(one, id)),
      );
      if (example === undefined || request === undefined || example < 0 || request < example) return;
      content.properties.className = ["sl-markdown-content", "operation"];
      content.children = [
        column("operation-head", children.slice(0, example)),
        column("operation-example", children.slice(example, request)),
        column("operation-text", children.slice(request)),
      ];
    });
  };
}

function isHeading(node: RootContent, id: string): boolean {
  return node.type === "element" && node.tagName === "h2" && node.properties.id === id;
}

function column(name: string, children: Element["children"]): Element {
  return { type: "element", tagName: "div", properties: { className: [name] }, children };
}
