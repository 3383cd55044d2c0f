import { copyFile, cp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { copyFilePackages, filePrograms } from "@cardbridge/files/build";
import { build } from "esbuild";

const api = fileURLToPath(new URL(".", import.meta.url));
const packageOf = (name) => dirname(createRequire(import.meta.url).resolve(name));

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
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
    },
    sourcemap: true,
    logLevel: "warning",
  });
  await copyAssets(folder);
}

/** Copies the migrations, the docs page's script, the guides, the samples, and the image library, which is native. */
async function copyAssets(folder) {
  await copyFilePackages(folder);
  const { name, version, type, engines } = JSON.parse(await readFile(join(api, "package.json"), "utf8"));
  // It makes the bundles ES modules, whatever package they are copied into.
  const packageJson = JSON.stringify({ name, version, private: true, type, engines });
  await writeFile(join(folder, "package.json"), packageJson);
  await cp(join(api, "samples"), join(folder, "samples"), { recursive: true });
  const migrations = join(api, "..", "..", "packages", "store", "src", "migrations");
  await cp(migrations, join(folder, "migrations"), { recursive: true });
  const docsScript = join(packageOf("@scalar/api-reference"), "browser", "standalone.js");
  await copyFile(docsScript, join(folder, "scalar.js"));
  const project = join(api, "..", "..");
  await cp(join(project, "docs", "platforms"), join(folder, "docs", "platforms"), { recursive: true });
  await copyFile(
    join(project, "docs", "platforms", "decisions.md"),
    join(folder, "docs", "platforms", "decisions.md"),
  );
  await copyFile(join(project, "CHANGELOG.md"), join(folder, "CHANGELOG.md"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = join(api, "dist");
  await rm(dist, { recursive: true, force: true });
  await buildPrograms(dist, { main: "src/main.ts", migrate: "src/migrate.ts", cli: "src/cli.ts" });
}
