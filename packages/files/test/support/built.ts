import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/** Bundles programs as the services are bundled: Node 20 runs no TypeScript. Answers the folder they are in. */
export async function built(entryPoints: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-built-"));
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".js" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    external: ["sharp"],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module";const require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return folder;
}

/** Runs a command to its end and answers what it printed. */
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
