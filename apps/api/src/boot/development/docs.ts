import { spawn } from "node:child_process";
import { docsPath } from "../../config/paths.ts";
import type { Site } from "../../http/docs/site.ts";
import { endChild } from "../../process/end-child.ts";
import type { Print } from "../../process/print.ts";

interface BuildOptions {
  site: Site;
  /** The service's address. */
  url: string;
  print: Print;
}

/**
 * Builds the documentation as a child process, which ends with this one, even after SIGKILL. A build that fails leaves
 * the service running. Without a program, nothing is built.
 */
export async function buildDocs(program: string | undefined, { site, url, print }: BuildOptions) {
  if (program === undefined) return undefined;
  const printed = await site.isBuilt();
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  let stopping = false;
  const onEnd = (code: unknown) => {
    if (stopping) return;
    if (code !== 0) print("The documentation is not built; the service runs. npm run docs:build says why.");
    else if (!printed) print(`The documentation is ready: ${url}${docsPath}`);
  };
  child.once("error", onEnd);
  child.once("exit", onEnd);
  return {
    async stop(): Promise<void> {
      stopping = true;
      await endChild(child);
    },
  };
}
