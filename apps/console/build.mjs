import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { banner } from "@cardbridge/node/build";
import { build } from "esbuild";

/*
 * Builds the server into dist/server, after the pages: the folder dist then runs anywhere, without node_modules. The
 * development issuer alone needs a package beside it.
 */
const folder = fileURLToPath(new URL(".", import.meta.url));

await build({
  absWorkingDir: folder,
  entryPoints: ["src/server/main.ts"],
  outdir: "dist/server",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22.19",
  external: ["oidc-provider"],
  banner,
  sourcemap: true,
  logLevel: "warning",
});
// It makes the bundle an ES module, whatever package it is copied into.
await writeFile(`${folder}dist/package.json`, JSON.stringify({ private: true, type: "module" }));
