import type { ProcessBounds } from "./messages.ts";

/** The interval of the measurements. At 2 GB/s, memory grows by 10 MB in between. */
const intervalMs = 5;

/**
 * Monitors this process until the returned function is called. Calls `onExceeded` once if the process exceeds a limit.
 * CPU time counts from this call, over all threads. A timer is sufficient, because the work runs in other threads.
 */
export function watchUsage(
  { cpuMs, rssMb }: ProcessBounds,
  onExceeded: (bound: keyof ProcessBounds) => void,
): () => void {
  const before = process.cpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const bound = (user + system) / 1_000 > cpuMs ? "cpuMs" : usedMemoryMb() > rssMb ? "rssMb" : undefined;
    if (!bound) return;
    clearInterval(timer);
    onExceeded(bound);
  }, intervalMs);
  return () => clearInterval(timer);
}

/** The resident memory of this process in megabytes. */
export const usedMemoryMb = () => process.memoryUsage.rss() / 1_000_000;
