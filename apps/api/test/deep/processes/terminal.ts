import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { killGroup, runVariables } from "../../support/with-test.ts";

const launcher = fileURLToPath(new URL("on-terminal.mjs", import.meta.url));

/**
 * Runs a Node program on a new terminal, with the command `script` of util-linux (Debian's bsdutils) or macOS. A
 * detached program is not in the terminal's session.
 */
export async function runOnTerminal(
  program: string,
  env: Record<string, string>,
  mode: "attached" | "detached",
) {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-terminal-"));
  const line = [process.execPath, launcher, folder, mode, program];
  const args =
    process.platform === "darwin"
      ? ["-q", "/dev/null", ...line]
      : ["-qfc", line.map((word) => `'${word}'`).join(" "), "/dev/null"];
  const script = spawn("script", args, {
    env: { ...runVariables(), SHELL: "/bin/sh", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const fileOf = (name: string) => readFile(join(folder, name), "utf8").catch(() => "");
  onTestFinished(async () => {
    script.kill("SIGKILL");
    // The launcher and the program, each with its children: a closed terminal ends neither.
    for (const name of ["launcher", "pid"]) killGroup(Number(await fileOf(name)));
    await rm(folder, { recursive: true, force: true });
  });
  let output = "";
  script.stdout.setEncoding("utf8").on("data", (chunk) => {
    output += chunk;
  });
  return {
    /** The terminal's output. */
    output: () => output,
    /** Stops reading, as after Ctrl-S. */
    pause: () => script.kill("SIGSTOP"),
    /** Closes the terminal. */
    async close() {
      script.kill("SIGKILL");
      await once(script, "exit");
    },
    kill: async (signal: NodeJS.Signals) => process.kill(Number(await fileOf("pid")), signal),
    /** Waits for the program's end; returns its exit code or signal. */
    async ended(): Promise<string> {
      await expect.poll(() => fileOf("code"), { timeout: 300_000 }).not.toBe("");
      return fileOf("code");
    },
  };
}
