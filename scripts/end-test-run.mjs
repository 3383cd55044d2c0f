import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { processesOf } from "./processes-of.mjs";

/* Waits until the process that started a test run ends, then ends the remaining processes and removes the folders. */
const [mark, ...folders] = process.argv.slice(2);
const graceMs = 5_000;

// A closing terminal or Ctrl-C ends the run, but not this program.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.stdin.resume();
await new Promise((resolve) => process.stdin.on("close", resolve).on("end", resolve).on("error", resolve));

const begun = performance.now();
for (let left = processesOf(mark); left.length > 0; left = processesOf(mark)) {
  const signal = performance.now() - begun < graceMs ? "SIGTERM" : "SIGKILL";
  for (const { id } of left) end(id, signal);
  await wait(200);
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true });

function end(id, signal) {
  try {
    process.kill(id, signal);
    // A stopped process would receive the signal only after it continues.
    process.kill(id, "SIGCONT");
  } catch {
    // It has already ended.
  }
}
