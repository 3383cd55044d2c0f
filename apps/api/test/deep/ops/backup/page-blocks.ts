import { readFileSync } from "node:fs";

/** A code block of a page for operators: shell, SQL, or settings of shell variables that an operator adapts. */
export interface PageBlock {
  kind: "sh" | "sql" | "settings";
  code: string;
}

/** The code blocks of each section of a page, in their order. The path begins at the root of the repository. */
export function pageBlocks(path: string): Map<string, PageBlock[]> {
  const markdown = readFileSync(new URL(`../../../../../../${path}`, import.meta.url), "utf8");
  const sections = markdown.split(/^## /m).map((section) => {
    const [title = "", ...rest] = section.split("\n");
    return [title.replace(/^# /, ""), blocksOf(rest.join("\n"))] as const;
  });
  return new Map(sections);
}

function blocksOf(markdown: string): PageBlock[] {
  return [...markdown.matchAll(/^( *)```(sh settings|sh|sql)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = "", info, code = ""]) => ({
      kind: info === "sql" ? "sql" : info === "sh" ? "sh" : "settings",
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );
}

/** Settings with other values. Values stay that are not given. @throws Error for a name that the block does not set. */
export function adapt({ code }: PageBlock, values: Record<string, string>): string {
  return Object.entries(values).reduce((settings, [name, value]) => {
    const line = new RegExp(`^${name}=.*$`, "m");
    if (!line.test(settings)) throw new Error(`The page does not set ${name}.`);
    return settings.replace(line, () => `${name}='${value}'`);
  }, code);
}
