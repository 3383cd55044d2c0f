import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { at } from "./process.mjs";
import { figure } from "./table.mjs";

const shown = ["fastify", "express", "@nestjs/core", "typeorm", "pg", "undici"];

/** The machine and the versions that a run was made with, in a sentence. */
export function machine() {
  const [{ model }] = cpus();
  const gigabytes = figure(totalmem() / 2 ** 30);
  const { dependencies } = JSON.parse(readFileSync(at("peers/package.json"), "utf8"));
  const versions = shown.map((name) => `${name} ${dependencies[name]}`).join(", ");
  return `${cpus().length} × ${model}, ${gigabytes} GB, ${type()} ${release()}, Node ${process.versions.node}; peers: ${versions}`;
}
