import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Snippet } from "./snippets.ts";

const mark = "-- end of the snippet --";
const program = (name: string) => fileURLToPath(new URL(`./sessions/${name}`, import.meta.url));

/** The program that runs the snippets of a language, and how it reads them. It prints the mark after each of them. */
const sessions = {
  sh: { command: ["bash", "-euo", "pipefail"], encode: (code: string) => `${code}\necho "${mark}"\n` },
  ts: {
    command: [process.execPath, "--no-warnings", program("typescript.mjs"), mark],
    encode: (code: string) => `${JSON.stringify(code)}\n`,
  },
  python: {
    command: ["python3", "-u", program("python.py"), mark],
    encode: (code: string) => `${JSON.stringify(code)}\n`,
  },
};

/** npm asks no registry about a package that it installs from a file. */
const env = { ...process.env, npm_config_audit: "false", npm_config_update_notifier: "false" };

/**
 * Runs the snippets of a page in a folder. Those of one language share a session, and so their names.
 *
 * @param signal ends the sessions, also in the middle of a snippet
 */
export function createRunner(folder: string, signal: AbortSignal) {
  const started = new Map<string, ReturnType<typeof startSession>>();

  function sessionOf(language: Snippet["language"]) {
    const session = started.get(language) ?? startSession(sessions[language], folder, signal);
    started.set(language, session);
    return session;
  }

  return {
    /** Runs a program and returns its standard output. @throws Error if it fails */
    run: ({ language, code }: Snippet) => sessionOf(language).run(code),
    end: () => Promise.all([...started.values()].map((session) => session.end())),
  };
}

function startSession({ command, encode }: (typeof sessions)["sh"], folder: string, signal: AbortSignal) {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { cwd: folder, env, signal, killSignal: "SIGKILL" });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk;
  });
  // Each error also closes the session, which rejects its snippet.
  child.on("error", () => {});
  child.stdin.on("error", () => {});

  return {
    run: (code: string) =>
      new Promise<string>((resolve, reject) => {
        let output = "";
        const onEnd = () =>
          reject(new Error(`The session ended in this snippet:\n${code}\n${output}${errors}`));
        const onData = (chunk: Buffer) => {
          output += chunk;
          if (!output.includes(`${mark}\n`)) return;
          child.stdout.off("data", onData);
          resolve(output.replace(`${mark}\n`, ""));
        };
        void closed.then(onEnd);
        child.stdout.on("data", onData);
        child.stdin.write(encode(code));
      }),
    end() {
      child.stdin.end();
      return closed;
    },
  };
}
