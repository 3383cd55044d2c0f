import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The built console. */
export const consoleProgram = fileURLToPath(new URL("../../dist/server/main.js", import.meta.url));

/** Starts a program in a group of its own, and waits for its line. */
export async function start(program: string, ready: RegExp, outputs: string[], env: Record<string, string>) {
  const { PATH = "", TMPDIR, CARDBRIDGE_TEST_RUN = "" } = process.env;
  const own = { PATH, CARDBRIDGE_TEST_RUN, ...(TMPDIR === undefined ? {} : { TMPDIR }) };
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: { ...own, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      outputs.push(String(chunk));
      if (ready.test(output)) resolve();
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", (code) => reject(new Error(`${program} ended (${code}): ${output}`)));
  });
  return child;
}

/** Ends a program and its own processes. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All of its processes have ended.
  }
}
