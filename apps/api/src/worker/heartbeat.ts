import { hostname } from "node:os";
import type { ServiceProcess } from "@cardbridge/domain";
import { ConfigurationError, version } from "@cardbridge/node";
import { typeid } from "typeid-js";
import type { Env } from "../config/env.ts";
import type { Log } from "../telemetry/log.ts";
import { type Loop, startRenewal } from "./loop.ts";

/** What a process stores about itself. */
interface ProcessDetails extends Pick<ServiceProcess, "role" | "version" | "host"> {
  id: string;
  commit: string | undefined;
  files: string | undefined;
}

/** A live process whose files are in another store, and until when it counts as live. */
interface OtherStore {
  host: string;
  liveUntil: Date;
}

/** The stored processes. Every function throws the errors of the database. */
interface Processes {
  /** Stores a process, unless a live process has its files in another store: returns that one instead. */
  register(process: ProcessDetails): Promise<OtherStore | undefined>;
  renew(process: ProcessDetails): Promise<void>;
  remove(id: string): Promise<void>;
}

interface Options {
  env: Pick<Env, "RUN" | "COMMIT">;
  processes: Processes;
  /** The variable that configures the file store. */
  filesVariable: string;
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
export function createHeartbeat(options: Options): Heartbeat {
  const { env, processes, filesVariable, log, intervalMs = 10_000 } = options;
  const id = typeid("prc").toString();
  let loop: Loop | undefined;
  return {
    async start(files) {
      const process = { id, role: env.RUN, version, commit: env.COMMIT, host: hostname(), files };
      const other = await processes.register(process);
      if (other) throw new ConfigurationError([refusal(filesVariable, other)]);
      loop = startRenewal(
        () => processes.renew(process),
        intervalMs,
        (reason) => log.warn("heartbeat_failed", { reason }),
      );
    },
    async stop() {
      if (!loop) return;
      await loop.stop();
      await processes.remove(id);
    },
  };
}

const refusal = (variable: string, { host, liveUntil }: OtherStore) =>
  `${variable}: The process on ${host} keeps its files in another store, and each process has to read the files of ` +
  "all. On several machines, configure one S3 bucket for all processes (FILES_S3_ENDPOINT, FILES_S3_BUCKET), or mount " +
  `one shared folder. If that process was killed, start again after ${liveUntil.toISOString()}.`;
