import { execFile, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Snippet } from "./snippets.ts";

const mark = "-- end of the snippet --";

/** Runs the programs of one guide in a folder: shell code in one shell, each TypeScript program in a new process. */
export function createRunner(folder: string) {
  const shell = spawn("bash", ["-euo", "pipefail"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  let setup = "";

  function runShell(code: string): Promise<string> {
    return new Promise((resolve, reject) => {
      let output = "";
      const onEnd = () => reject(new Error(`The shell ended in this snippet:\n${code}\n${output}`));
      const onData = (chunk: Buffer) => {
        output += chunk;
        if (!output.includes(mark)) return;
        shell.stdout.off("data", onData);
        shell.off("close", onEnd);
        resolve(output.replace(`${mark}\n`, ""));
      };
      shell.once("close", onEnd);
      shell.stdout.on("data", onData);
      shell.stdin.write(`${code}\necho "${mark}"\n`);
    });
  }

  async function runTypeScript({ code, setup: isSetup }: Snippet): Promise<string> {
    if (isSetup) {
      setup += code;
      return "";
    }
    const file = join(folder, "snippet.ts");
    await writeFile(file, setup + code);
    return (await promisify(execFile)(process.execPath, [file], { cwd: folder })).stdout;
  }

  return {
    /** Runs a program and returns its standard output. @throws Error if it fails */
    run: (snippet: Snippet) => (snippet.language === "sh" ? runShell(snippet.code) : runTypeScript(snippet)),
    end: () =>
      new Promise<void>((resolve) => {
        shell.once("close", () => resolve());
        shell.stdin.end();
      }),
  };
}
