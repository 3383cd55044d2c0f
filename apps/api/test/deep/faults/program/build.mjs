import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stop } from "esbuild";
import { buildPrograms } from "../../../../build.mjs";

/**
 * Builds the service with fail-points for one run of the tests, into a folder that the run removes.
 *
 * @param {import("vitest/node").TestProject} project
 */
export default async function setup(project) {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-faults-"));
  await buildPrograms(folder, { main: "test/deep/faults/program/service.ts" });
  await stop();
  project.provide("faultsProgram", folder);
  return () => rm(folder, { recursive: true, force: true });
}
