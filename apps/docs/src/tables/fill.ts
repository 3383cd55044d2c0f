import { tables } from "./index.ts";

const block = /<!-- table: ([\w-]+) -->[\s\S]*?<!-- \/table -->/g;

/**
 * Replaces the generated parts of a page, which are between comments: `<!-- table: name -->` and `<!-- /table -->`.
 *
 * @throws if a name is unknown
 */
export function fillTables(markdown: string): string {
  return markdown.replaceAll(block, (_, name: string) => {
    const table = tables[name];
    if (!table) throw new Error(`No table has the name ${name}`);
    return `<!-- table: ${name} -->\n\n${table()}\n\n<!-- /table -->`;
  });
}

/** The names of the generated parts of a page. */
export const tablesOf = (markdown: string): string[] =>
  [...markdown.matchAll(block)].map(([, name = ""]) => name);
