import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "./describe.mjs";

/**
 * Writes `dist/index.d.ts` of the package in the working directory: the declarations of `src/contract.ts` with the
 * descriptions of the operations, and the declarations of the modules `names`.
 *
 * @param {readonly string[]} names the modules with public types; the last module exports them
 */
export function writeDeclarations(names) {
  const folder = mkdtempSync(join(tmpdir(), "declarations-"));
  try {
    execFileSync("tsc", ["-p", "tsconfig.build.json", "--outDir", folder], { stdio: "inherit" });
    const [contract, ...others] = ["contract", ...names].map((name) =>
      readFileSync(join(folder, `${name}.d.ts`), "utf8"),
    );
    writeFileSync("dist/index.d.ts", asOneModule([describe(contract), ...others]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Matches function declarations on one line, with their comments. */
const functions = /(?:\/\*\*(?:(?!\*\/).)*\*\/\n)?export declare function (\w+)[^\n]*\n/gs;

/** Joins declarations that import each other. Only the last module exports, so internal types are not public. */
function asOneModule(modules) {
  const exports = modules.pop();
  const declarations = modules
    .join("")
    .replaceAll(functions, (text, name) => (exports.includes(name) ? text : ""))
    .replaceAll(/^import .* from "\.\/.*";\n/gm, "")
    .replaceAll(/^export \{\};\n/gm, "")
    .replaceAll(/^export (?=declare |interface |type )/gm, "");
  return declarations + exports.replaceAll(/ from "\.\/.*";$/gm, ";");
}
