import { rmSync } from "node:fs";
import { writeDeclarations } from "@cardbridge/declarations";
import { writeProcedures } from "@cardbridge/declarations/procedures";
import { build } from "esbuild";

// An app installs only dist/: one module with one file of declarations that imports only @trpc/server, and the procedures as data.
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
writeProcedures();
