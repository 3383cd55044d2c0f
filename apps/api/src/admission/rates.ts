import type { Rate } from "@cardbridge/domain";
import type { RateClass, RateOf } from "./rate-limiter.ts";

/** A rate in the configuration: `600/60`, or `unlimited`. */
export type ConfiguredRate = Rate | "unlimited";

export const defaultRates: Record<RateClass, Rate> = {
  reads: { calls: 6_000, seconds: 60 },
  writes: { calls: 600, seconds: 60 },
  submissions: { calls: 600, seconds: 60 },
};

/** The configured rates. The default applies to all platforms except demo platforms (gap G22). */
export function configuredRates(
  configured: Record<RateClass, ConfiguredRate | undefined>,
  isDemo: (platformId: string) => boolean,
): RateOf {
  return (holder, rateClass) => {
    const rate = configured[rateClass] ?? (isDemo(holder) ? "unlimited" : defaultRates[rateClass]);
    return rate === "unlimited" ? undefined : rate;
  };
}
