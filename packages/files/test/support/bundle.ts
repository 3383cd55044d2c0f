import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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

/** Runs a command and returns its exit code and output. */
export async function outputOf(
  command: string,
  args: string[],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, args);
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const [code] = await once(child, "close");
  return { code, stdout: stdout(), stderr: stderr() };
}

function textOf(stream: ChildProcess["stdout"]): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (more) => {
    text += more;
  });
  return () => text;
}
