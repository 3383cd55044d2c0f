import { reasonOf } from "@cardbridge/domain";
import { type Database, readCurrentPauses } from "@cardbridge/service/database";
import type { KnownPauses } from "../admission/current-pauses.ts";
import type { Log } from "../log/log.ts";
import { type Loop, startLoop } from "../worker/loop.ts";

interface Options {
  pauses: Pick<KnownPauses, "replace">;
  /** The database of background work. */
  database: Database;
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
export function createPauseReader({ pauses, database, log, everyMs = 900 }: Options): PauseReader {
  let loop: Loop | undefined;
  let failing = false;

  const read = async () => pauses.replace(await readCurrentPauses(database));

  async function readAgain(): Promise<boolean> {
    try {
      await read();
      failing = false;
    } catch (error) {
      if (!failing) log.warn("pauses_not_read", { reason: reasonOf(error) });
      failing = true;
    }
    return false;
  }

  return {
    async start() {
      await read();
      loop = startLoop(readAgain, everyMs);
    },
    stop: async () => loop?.stop(),
  };
}
