import type { LimitedKind, Rate } from "@cardbridge/domain";
import type { RateOf } from "./rate-limiter.ts";

/** A rate in the configuration: `600/60`, or `unlimited`. */
export type ConfiguredRate = Rate | "unlimited";

const defaults: Record<LimitedKind, Rate> = {
  query: { calls: 6_000, seconds: 60 },
  mutation: { calls: 600, seconds: 60 },
};

/** The configured rates. The default applies to all platforms except demo platforms (gap G22). */
export function configuredRates(
  configured: Record<LimitedKind, ConfiguredRate | undefined>,
  isDemo: (platformId: string) => boolean,
): RateOf {
  return (platformId, kind) => {
    const rate = configured[kind] ?? (isDemo(platformId) ? "unlimited" : defaults[kind]);
    return rate === "unlimited" ? undefined : rate;
  };
}
