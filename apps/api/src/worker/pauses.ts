import type { CurrentPause } from "@cardbridge/domain";
import type { KnownPauses } from "../admission/pauses.ts";
import type { Log } from "../telemetry/log.ts";
import { type Loop, startRenewal } from "./loop.ts";

interface Options {
  pauses: Pick<KnownPauses, "replace">;
  /** Reads the current pauses from the database. */
  read(): Promise<readonly CurrentPause[]>;
  log: Pick<Log, "warn">;
  /** The time between two reads, in milliseconds. A process obeys within a second. */
  everyMs?: number;
}

export interface PauseReader {
  /** Reads the pauses, and continues to read them in the background. Throws the errors of the first read. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Reads the current pauses again and again. While the database is unavailable, the last known pauses hold: each of them
 * still ends at its time.
 */
export function createPauseReader({ pauses, read, log, everyMs = 900 }: Options): PauseReader {
  let loop: Loop | undefined;
  const renew = async () => pauses.replace(await read());
  return {
    async start() {
      await renew();
      loop = startRenewal(renew, everyMs, (reason) => log.warn("pauses_not_read", { reason }));
    },
    stop: async () => loop?.stop(),
  };
}
