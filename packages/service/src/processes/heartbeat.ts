import type { ServiceProcess } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";

/** What a process stores about itself. */
export interface ProcessDetails extends Pick<ServiceProcess, "role" | "version" | "host"> {
  /** Random, and another one for each start. */
  id: string;
  commit?: string | undefined;
  /** The identity of its store of files. Without it, the store is not compared. */
  files?: string | undefined;
}

/** A live process whose files are in another store. */
export interface OtherStore {
  host: string;
  /** Until when the process counts as live, unless it has another heartbeat. */
  liveUntil: Date;
}

/**
 * Stores a process, unless a live process has its files in another store: returns that one instead. Of two processes
 * that start at once with different stores, only one is stored. Throws as `Database.withoutPlatform`.
 */
export async function registerProcess(
  database: Database,
  process: ProcessDetails,
): Promise<OtherStore | undefined> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<{ host: string; live_until: string }>(
      sql`select host, live_until from register_process(${JSON.stringify(process)}::jsonb)`,
    ),
  );
  return rows.map(({ host, live_until }) => ({ host, liveUntil: new Date(live_until) }))[0];
}

/** Stores a heartbeat of a process, and its row if it is missing. Throws as `Database.withoutPlatform`. */
export async function renewProcess(database: Database, process: ProcessDetails): Promise<void> {
  await database.withoutPlatform((tx) =>
    tx.execute(sql`select renew_process(${JSON.stringify(process)}::jsonb)`),
  );
}

/** Removes a process that stops. Throws as `Database.withoutPlatform`. */
export async function removeProcess(database: Database, id: string): Promise<void> {
  await database.withoutPlatform((tx) => tx.execute(sql`select remove_process(${id})`));
}
