import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyFilePackages, filePrograms } from "@cardbridge/files/build";
import { banner } from "@cardbridge/node/build";
import { build } from "esbuild";

const api = fileURLToPath(new URL(".", import.meta.url));

/**
 * Builds programs of the service into a folder that runs anywhere on the system that builds: each file that a bundle
 * reads lies beside it. The fault suite builds its own program in the same way.
 *
 * @param {string} folder
 * @param {Record<string, string>} programs the source of each program, relative to apps/api
 */
export async function buildPrograms(folder, programs) {
  await build({
    absWorkingDir: api,
    entryPoints: { ...programs, ...filePrograms },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node22.19",
    external: ["sharp", "pg-native", "@cardbridge/postgres", "@cardbridge/sandbox/process"],
    banner,
    sourcemap: true,
    logLevel: "warning",
  });
  await copyAssets(folder);
}

/** Copies the migrations, the samples, and the image library, which is native. */
async function copyAssets(folder) {
  await copyFilePackages(folder);
  const { name, type, engines } = await manifestIn(api);
  const { version } = await manifestIn(join(api, "..", ".."));
  // It makes the bundles ES modules, whatever package they are copied into.
  const packageJson = JSON.stringify({ name, version, private: true, type, engines });
  await writeFile(join(folder, "package.json"), packageJson);
  await cp(join(api, "samples"), join(folder, "samples"), { recursive: true });
  const migrations = join(api, "..", "..", "packages", "service", "src", "database", "migrations");
  await cp(migrations, join(folder, "migrations"), { recursive: true });
}

async function manifestIn(folder) {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(api, "dist");
  await rm(dist, { recursive: true, force: true });
  await buildPrograms(dist, { main: "src/main.ts", migrate: "src/migrate.ts", cli: "src/cli/main.ts" });
}
