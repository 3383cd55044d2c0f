import { rmSync } from "node:fs";
import { writeDeclarations } from "@cardbridge/declarations";
import { build } from "esbuild";

// An app installs only dist/: one module, and one file of declarations that imports only @trpc/server.
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/index.ts"],
  outdir: "dist",
  bundle: true,
  packages: "external",
  format: "esm",
  target: "es2022",
});
writeDeclarations([
  "app-router",
  "outputs",
  "client",
  "create-client",
  "create-browser-client",
  "problem-of",
  "response-info",
  "index",
]);
