import { rmSync } from "node:fs";
import { writeDeclarations } from "@cardbridge/declarations";
import { build } from "esbuild";

// dist/ is all that an app installs: one module, and one file of declarations that imports @trpc/server alone.
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/index.ts"],
  outdir: "dist",
  bundle: true,
  packages: "external",
  format: "esm",
  target: "es2022",
});
writeDeclarations(["app-router", "client", "create-client", "problem-of", "response-info", "index"]);
