/** The lanes that are no platform. Their names contain a space, so that no platform's id equals them. */
export const lanes = {
  /** Look-ups of API keys, which precede every other work of a call. */
  apiKeys: "API keys",
  /** Leases of rate limits, which precede a call's operation. */
  rateLimits: "rate limits",
  /** Other work that is for no platform, such as lists of operators. */
  noPlatform: "no platform",
  /** The worker, which makes the attempts of all platforms. */
  worker: "the worker",
  /** The webhooks of all platforms, to endpoints that keep up and to others. */
  promptWebhooks: "prompt webhooks",
  slowWebhooks: "slow webhooks",
  /** The card provider: its events, and its reads of files by signature. */
  provider: "the provider",
} as const;
