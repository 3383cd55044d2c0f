import { renewedState, withTimeout } from "@cardbridge/node";

/** The maximum time of a reading, in milliseconds: below Prometheus' timeout of a scrape. */
const maxMs = 2_000;

/**
 * Reads values at most once a second for all metrics and scrapes. Returns undefined if they cannot be read within two
 * seconds.
 */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  return renewedState(() => withTimeout(maxMs, read()));
}
