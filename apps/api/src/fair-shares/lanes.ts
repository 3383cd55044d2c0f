/** The lanes that are no platform. Their names contain a space, so that no platform's id equals them. */
export const lanes = {
  /** Work that precedes the platform, such as finding a key. */
  noPlatform: "no platform",
  /** The worker, which makes the attempts of all platforms. */
  worker: "the worker",
  /** The card provider: its events, and its reads of files by signature. */
  provider: "the provider",
} as const;
