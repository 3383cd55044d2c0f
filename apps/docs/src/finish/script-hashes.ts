import { hash } from "node:crypto";
import type { Root } from "hast";
import { visit } from "unist-util-visit";

/** Collects the hashes of the inline scripts, as a Content-Security-Policy lists them. */
export function collectScriptHashes(hashes: Set<string>) {
  return (tree: Root) => {
    visit(tree, { type: "element", tagName: "script" }, ({ properties, children: [text] }) => {
      if (properties.src === undefined && text?.type === "text")
        hashes.add(`'sha256-${hash("sha256", text.value, "base64")}'`);
    });
  };
}
