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
  const untilMs = usedCpuMs() + cpuMs;
  const timer = setInterval(() => {
    const bound = usedCpuMs() > untilMs ? "cpuMs" : usedMemoryMb() > rssMb ? "rssMb" : undefined;
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

/** The resident memory of this process in megabytes. */
export const usedMemoryMb = () => process.memoryUsage.rss() / 1_000_000;
