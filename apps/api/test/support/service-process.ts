import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { serviceSettings } from "./service-settings.ts";
import { endWithTest, runVariables } from "./with-test.ts";

/** The Node that runs the built programs: CI sets other supported versions. */
const node = process.env.SERVICE_NODE ?? process.execPath;

/** The folder of the shipped programs. Copies and the fault suite's program are in other folders. */
const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
/** The built documentation. */
const site = fileURLToPath(new URL("../../../docs/dist/", import.meta.url));

export interface ServiceProcess {
  child: ChildProcess;
  /** Everything that it wrote so far to standard output and standard error. */
  output(): string;
  /** Its address. */
  url: string;
  /** Sends a signal and waits for the end. Returns the exit code, or the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

interface RunOptions {
  /** A shell command that limits the process, such as `ulimit -f 100`. */
  limit?: string | undefined;
  folder?: string | undefined;
  /** A shell command that runs the program with other rights, such as `setpriv …`. */
  prefix?: string | undefined;
  /** Arguments of the program. */
  args?: readonly string[] | undefined;
}

function run(
  file: string,
  env: Record<string, string>,
  { limit = ":", folder = dist, prefix = "", args = [] }: RunOptions = {},
) {
  // A copy of the build has the documentation beside it.
  const docs = folder === dist && file === "main.js" ? ["--docs-folder", site] : [];
  const program = [join(folder, file), ...docs, ...args];
  const child = spawn("sh", ["-c", `${limit}; exec ${prefix} "$0" "$@"`, node, ...program], {
    env: { ...runVariables(), LOG_LEVEL: "warn", ...serviceSettings, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  endWithTest(child);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  return { child, output: () => output };
}

/** Runs a built program and waits for its end. */
export async function runToEnd(
  file: "main.js" | "migrate.js",
  env: Record<string, string>,
  options?: RunOptions,
) {
  const { child, output } = run(file, env, options);
  const [code] = await once(child, "close");
  return { code, output: output() };
}

/** Runs the built command line with its arguments and waits for its end. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string>,
  { input = "", folder = dist } = {},
) {
  const child = spawn(node, [join(folder, "cli.js"), ...args], {
    env: { ...runVariables(), ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  endWithTest(child);
  // Most commands do not read their input.
  child.stdin.on("error", () => {}).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

/** Starts a built service on a free port and waits for its banner. */
export async function startService(
  env: Record<string, string>,
  options?: RunOptions,
): Promise<ServiceProcess> {
  const { child, output } = run("main.js", { PORT: "0", ...env }, options);
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on("data", () => {
      // The banner ends with its addresses and an empty line.
      if (/cardbridge is ready.*\n\n(?: {2}.+\n)+\n/.test(output())) resolve();
    });
  });
  await Promise.race([
    ready,
    ended.then((code) => Promise.reject(new Error(`The service ended (${code}): ${output()}`))),
  ]);
  const url = /(?:Address|Health) +(http:\/\/[^/\s]+)/.exec(output())?.[1] ?? "";
  return {
    child,
    output,
    url,
    async end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
