import { mkdir, writeFile } from "node:fs/promises";

const folder = new URL("../../../.reports/", import.meta.url);

/** Writes the table of a run, with the run's day and the version of Node, into `.reports` of the package. */
export async function writeReport(name: string, table: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const day = new Date().toISOString().slice(0, 10);
  await writeFile(new URL(`${name}.md`, folder), `${day}, Node ${process.versions.node}\n\n${table}\n`);
}
