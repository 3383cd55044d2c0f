import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../../../../../docs/contribute/reliability-results.md", import.meta.url));

/** Writes a table between its marks on the page of results, such as `<!-- the table begins -->`. */
export async function writeTable(name: string, table: string): Promise<void> {
  const text = await readFile(page, "utf8");
  const marked = new RegExp(`(<!-- ${name} begins -->)[\\s\\S]*(<!-- ${name} ends -->)`);
  await writeFile(
    page,
    text.replace(marked, (_, begin, end) => `${begin}\n\n${table}\n\n${end}`),
  );
}
