import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"]));

/** The path of a file, relative to the folder of the benchmarks. */
export const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Starts a program and waits until it prints its address. `stop` waits for its exit and may be called repeatedly. */
export function start(file, env, listening = /^listening (\S+)/m) {
  const child = spawn(process.execPath, [at(file)], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const kill = () => child.kill("SIGTERM");
  process.prependOnceListener("exit", kill);
  ended.finally(() => process.off("exit", kill)).catch(() => {});
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
  };
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (chunk) => {
      if (output.length > 20_000) return;
      output += chunk;
      const url = listening.exec(output)?.[1];
      if (url) resolve({ url, child, output: () => output, stop, [Symbol.asyncDispose]: stop });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    ended.then(([code]) => reject(new Error(`${file} ended (${code}):\n${output}`)), reject);
  });
}

/** The CPU time of the process itself, user and system together, in microseconds. */
export function cpuOf({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}

/** The resident memory of the process, in megabytes. */
export function memoryOf({ child }) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Number(kilobytes) / 1024;
}
