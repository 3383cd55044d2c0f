import { readFileSync } from "node:fs";
import type { ProcessBounds } from "./messages.ts";

/** The interval of the measurements. At 2 GB/s, memory grows by 10 MB in between. */
const intervalMs = 5;

/**
 * Monitors this process until the returned function is called. Calls `onExceeded` once if the process exceeds a limit.
 * CPU time counts from this call, over all threads. A timer is sufficient, because the work runs in other threads.
 */
export function watchUsage(
  { cpuMs, memoryMb }: ProcessBounds,
  onExceeded: (bound: keyof ProcessBounds) => void,
): () => void {
  const untilMs = usedCpuMs() + cpuMs;
  const timer = setInterval(() => {
    const bound = usedCpuMs() > untilMs ? "cpuMs" : usedMemoryMb() > memoryMb ? "memoryMb" : undefined;
    if (!bound) return;
    clearInterval(timer);
    onExceeded(bound);
  }, intervalMs);
  return () => clearInterval(timer);
}

/** The CPU time of this process since its start, over all threads, in milliseconds. */
export function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * The memory of this process in megabytes. On Linux without the pages of files: how many of the program's own are resident
 * depends on the cache of the system, by tens of megabytes.
 */
export function usedMemoryMb(): number {
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : "";
  const kibibytes = /^RssAnon:\s+(\d+)/m.exec(status)?.[1];
  // Some sandboxes of containers do not tell the two apart. Without a number, nothing would limit the memory.
  const bytes = kibibytes === undefined ? process.memoryUsage.rss() : Number(kibibytes) * 1_024;
  return bytes / 1_000_000;
}
