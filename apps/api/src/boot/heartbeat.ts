import { hostname } from "node:os";
import { reasonOf } from "@cardbridge/domain";
import { ConfigurationError } from "@cardbridge/node";
import {
  type Database,
  type OtherStore,
  type ProcessDetails,
  registerProcess,
  removeProcess,
  renewProcess,
} from "@cardbridge/service/database";
import { typeid } from "typeid-js";
import type { Env } from "../config/env.ts";
import type { Log } from "../log/log.ts";
import { version } from "../process/version.ts";
import { type Loop, startLoop } from "../worker/loop.ts";
import { filesVariable } from "./check-files.ts";

interface Options {
  env: Pick<Env, "RUN" | "COMMIT" | "FILES_S3_BUCKET">;
  /** The database of background work. */
  database: Database;
  log: Pick<Log, "warn">;
  /** The interval of heartbeats, in milliseconds: 10 s by default. A process counts as live for 45 s. */
  intervalMs?: number;
}

export interface Heartbeat {
  /**
   * Stores this process in the database, and begins to renew its heartbeat in the background. Without the identity of
   * its file store, the store is not compared with those of other processes.
   * @throws ConfigurationError if another live process has its files in another store; the errors of the database.
   */
  start(files: string | undefined): Promise<void>;
  /** Ends the heartbeats, and removes this process from the database. Throws the errors of the database. */
  stop(): Promise<void>;
}

/** Creates the heartbeat of this process. A failed heartbeat has no effect: the next one tries again. */
export function createHeartbeat({ env, database, log, intervalMs = 10_000 }: Options): Heartbeat {
  const own: ProcessDetails = {
    id: typeid("prc").toString(),
    role: env.RUN,
    version,
    commit: env.COMMIT,
    host: hostname(),
  };
  let loop: Loop | undefined;
  let failing = false;

  async function renew(process: ProcessDetails): Promise<boolean> {
    try {
      await renewProcess(database, process);
      failing = false;
    } catch (error) {
      if (!failing) log.warn("heartbeat_failed", { reason: reasonOf(error) });
      failing = true;
    }
    return false;
  }

  return {
    async start(files) {
      const process = { ...own, files };
      const other = await registerProcess(database, process);
      if (other) throw new ConfigurationError([refusal(filesVariable(env.FILES_S3_BUCKET), other)]);
      loop = startLoop(() => renew(process), intervalMs);
    },
    async stop() {
      if (!loop) return;
      await loop.stop();
      await removeProcess(database, own.id);
    },
  };
}

const refusal = (variable: string, { host, liveUntil }: OtherStore) =>
  `${variable}: The process on ${host} keeps its files in another store, and each process has to read the files of ` +
  "all. On several machines, configure one S3 bucket for all processes (FILES_S3_ENDPOINT, FILES_S3_BUCKET), or mount " +
  `one shared folder. If that process was killed, start again after ${liveUntil.toISOString()}.`;
