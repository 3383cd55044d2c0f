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
export const cpuOf = ({ child }) => timesOf(child.pid).own;

/** The CPU time of the processes that a process started, living and ended ones, in microseconds. */
export function cpuOfChildren({ child }) {
  const { ended } = timesOf(child.pid);
  return childrenOf(child).reduce((sum, pid) => sum + timesOf(pid).own, ended);
}

/** The ids of the processes that a process started and that are alive. */
export function childrenOf({ pid }) {
  // The main thread starts them.
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.trim().split(" ").filter(Boolean).map(Number);
}

/** The CPU time of a process, and of its children that have ended. */
function timesOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ").map(Number);
  const micros = (first) => ((fields[first] + fields[first + 1]) / ticksPerSecond) * 1e6;
  return { own: micros(11), ended: micros(13) };
}

/** The resident memory of the process, in megabytes. */
export function memoryOf({ child }) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Number(kilobytes) / 1024;
}
