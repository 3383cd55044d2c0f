import type { Runtime } from "../../src/runtime.ts";

/** A runtime that records delays and ends them at once. Only delays and `advance` move the time and fire timers. */
export function testRuntime(random = 0.5) {
  let now = 0;
  const waits: number[] = [];
  const timers = new Map<object, { at: number; run: () => void }>();
  const advance = (ms: number) => {
    now += ms;
    for (const [key, { at, run }] of timers) {
      if (at > now) continue;
      timers.delete(key);
      run();
    }
  };
  const runtime: Runtime = {
    now: () => now,
    random: () => random,
    after(ms, run) {
      const key = {};
      timers.set(key, { at: now + ms, run });
      return () => void timers.delete(key);
    },
    async sleep(ms, signal) {
      if (signal.aborted) return;
      waits.push(ms);
      advance(ms);
    },
  };
  return { runtime, waits, timers, advance };
}
