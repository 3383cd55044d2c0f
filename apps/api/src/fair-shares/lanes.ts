/** The lanes that are no platform. Their names contain a space, so that no platform's id equals them. */
export const lanes = {
  /** Look-ups of API keys, which precede every other work of a call. */
  apiKeys: "API keys",
  /** Other work that is for no platform, such as lists of operators. */
  noPlatform: "no platform",
  /** The worker, which makes the attempts of all platforms. */
  worker: "the worker",
  /** The deliveries of webhooks of all platforms. */
  webhooks: "webhooks of all platforms",
  /** The card provider: its events, and its reads of files by signature. */
  provider: "the provider",
} as const;
