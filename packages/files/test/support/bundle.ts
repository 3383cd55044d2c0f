import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles programs into a folder as the service is bundled. A child process then runs them without a loader. */
export async function bundleInto(folder: string, entryPoints: Record<string, string>): Promise<void> {
  await build({
    entryPoints,
    outdir: folder,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22.19",
    external: ["sharp"],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
}
