import type { RateLimits } from "@cardbridge/domain";

/** Buckets in memory, as the database has them. `processes` is what every lease reports. */
export function fakeRateLimits(now = () => performance.now(), processes = 1): RateLimits {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return {
    async lease(platformId, kind, { calls, seconds }, wanted) {
      const name = `${kind} ${platformId}`;
      const { tokens, at } = buckets.get(name) ?? { tokens: calls, at: now() };
      const available = Math.min(calls, tokens + ((now() - at) * calls) / seconds / 1_000);
      const granted = Math.min(wanted, Math.floor(available));
      buckets.set(name, { tokens: available - granted, at: now() });
      return { granted, remaining: available - granted, processes };
    },
  };
}
