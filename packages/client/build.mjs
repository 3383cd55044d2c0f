import { rmSync } from "node:fs";
import { writeDeclarations } from "@cardbridge/declarations";
import { build } from "esbuild";

// A platform installs only dist/: one module and one file of declarations, without imports.
rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/index.ts"],
  outdir: "dist",
  bundle: true,
  format: "esm",
  target: "es2022",
});
writeDeclarations([
  "types",
  "file-source",
  "errors",
  "runtime",
  "response-info",
  "options",
  "cards",
  "kyc-decision",
  "kyc",
  "wait-for-decision",
  "files",
  "users",
  "sandbox",
  "webhooks",
  "create-client",
  "webhook-events",
  "verify-webhook",
  "index",
]);
