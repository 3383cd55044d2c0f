import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe } from "./describe.mjs";

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
const folder = mkdtempSync(join(tmpdir(), "trpc-client-"));
try {
  execFileSync("tsc", ["-p", "tsconfig.build.json", "--outDir", folder], { stdio: "inherit" });
  // The modules whose types are public; index comes last and exports.
  const names = ["contract", "app-router", "client", "create-client", "problem-of", "response-info", "index"];
  const [contract, ...others] = names.map((name) => readFileSync(join(folder, `${name}.d.ts`), "utf8"));
  writeFileSync("dist/index.d.ts", asOneModule([describe(contract), ...others]));
} finally {
  rmSync(folder, { recursive: true });
}

/** Joins declarations that import each other. Only the last module exports, so nothing internal is public. */
function asOneModule(modules) {
  const exports = modules.pop();
  const declarations = modules
    .join("")
    .replaceAll(/^import .* from "\.\/.*";\n/gm, "")
    .replaceAll(/^export \{\};\n/gm, "")
    .replaceAll(/^export (?=declare |interface |type )/gm, "");
  return declarations + exports.replaceAll(/ from "\.\/.*";$/gm, ";");
}
