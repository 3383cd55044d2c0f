import { copyFile, cp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { copySharp, pdfWorker } from "@cardbridge/files/build";
import { build } from "esbuild";

// dist/ is the whole service, for the system that builds, and runs in any folder: each file that a bundle needs lies
// beside it. That is the migrations, the docs page's script, the samples, and the image library, which is native.
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
await copySharp("dist");
const { name, version, type, engines } = JSON.parse(await readFile("package.json", "utf8"));
// It makes the bundles ES modules, whatever package they are copied into.
await writeFile("dist/package.json", JSON.stringify({ name, version, private: true, type, engines }));
await cp("samples", "dist/samples", { recursive: true });
await cp(join("..", "..", "packages", "store", "src", "migrations"), "dist/migrations", { recursive: true });
await copyFile(join(packageOf("@scalar/api-reference"), "browser", "standalone.js"), "dist/scalar.js");
