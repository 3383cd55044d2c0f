import { renewedState } from "../health/renewed-state.ts";

/** The maximum time of a reading, in milliseconds: below Prometheus' timeout of a scrape. */
const maxMillis = 2_000;

/**
 * Reads values at most once a second for all metrics and scrapes, and within two seconds.
 * @throws what `read` throws; Error after two seconds.
 */
export function readOnce<T>(read: () => Promise<T>): () => Promise<T> {
  return renewedState(() => {
    const reading = read();
    return new Promise<T>((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error("The values were not read in time.")), maxMillis);
      reading.then(resolve, reject).finally(() => clearTimeout(timeout));
    });
  });
}
