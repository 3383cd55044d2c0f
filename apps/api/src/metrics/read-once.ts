import { renewedState } from "../health/renewed-state.ts";
import { withTimeout } from "../process/with-timeout.ts";

/** The maximum time of a reading, in milliseconds: below Prometheus' timeout of a scrape. */
const maxMillis = 2_000;

/**
 * Reads values at most once a second for all metrics and scrapes, and within two seconds.
 * @throws what `read` throws; Error after two seconds.
 */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  return renewedState(() => withTimeout(maxMillis, read()));
}
