import type { Kind, RateOf } from "./rate-limiter.ts";
import type { Rate } from "./token-bucket.ts";

/** As the environment writes a rate: `600/60`, or `unlimited`. */
export type ConfiguredRate = Rate | "unlimited";

const defaults: Record<Kind, Rate> = {
  query: { calls: 6_000, seconds: 60 },
  mutation: { calls: 600, seconds: 60 },
};

/** The configured rates; where none is, the default, which demo platforms are spared (gap G22). */
export function configuredRates(
  given: Record<Kind, ConfiguredRate | undefined>,
  isDemo: (platformId: string) => boolean,
): RateOf {
  return (platformId, kind) => {
    const rate = given[kind] ?? (isDemo(platformId) ? "unlimited" : defaults[kind]);
    return rate === "unlimited" ? undefined : rate;
  };
}
