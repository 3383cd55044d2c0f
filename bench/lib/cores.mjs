import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { childrenOf } from "./process.mjs";

/*
 * Contestants run on the first core, with four cores a proxy on the second, and everything else on the others: the load, the
 * database and the provider take no time of what is measured. Without taskset (util-linux), or with one core, all share all
 * cores.
 */
const cores = availableParallelism();
export const isProxyApart = cores >= 4;
const others = `${isProxyApart ? 2 : 1}-${cores - 1}`;
const setting = (list, pid) => ["-a", "-p", "-c", list, String(pid)];
const setCores = (list, pid) => spawnSync("taskset", setting(list, pid)).status === 0;

/** Moves this process, and all that it starts, to the other cores. Whether it did. */
export const isSeparated = cores > 1 && setCores(others, process.pid);

/** Moves a contestant to the first core. */
export function moveToOwnCore({ child }) {
  if (isSeparated && !setCores("0", child.pid)) throw new Error("taskset failed.");
}

/** Moves a proxy to the second core, if there are four. */
export function moveToProxyCore({ child }) {
  if (isSeparated && isProxyApart && !setCores("1", child.pid)) throw new Error("taskset failed.");
}

/** Moves the processes that a contestant starts to the other cores, until it is disposed: they inherit the first one. */
export function moveChildren({ child }) {
  const moved = new Set();
  const timer = setInterval(() => {
    for (const pid of isSeparated ? childrenOf(child) : []) {
      // Waiting for taskset would delay the load.
      if (!moved.has(pid)) spawn("taskset", setting(others, pid), { stdio: "ignore" });
      moved.add(pid);
    }
  }, 20);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
