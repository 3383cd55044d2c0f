import type { Processes, ServiceProcess } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";

const fields = {
  processId: sql<string>`id`,
  role: sql<ServiceProcess["role"]>`role`,
  version: sql<string>`version`,
  commit: sql<string | null>`commit`,
  host: sql<string>`host`,
  startedAt: shownMoment(sql`started_at`),
  seenAt: shownMoment(sql`seen_at`),
  live: sql<boolean>`live`,
};

/** The processes of the service on this database. */
export function processesRepository(database: Database): Processes {
  return {
    list: (limit) =>
      database.withoutPlatform((tx) => tx.select(fields).from(sql`list_processes(${limit}::integer)`)),
  };
}

/** How many live processes have a role and a version. */
export interface ProcessCount extends Pick<ServiceProcess, "role" | "version"> {
  count: number;
}

/** Counts the live processes by role and version. Throws as `Database.withoutPlatform`. */
export function countProcesses(database: Database): Promise<ProcessCount[]> {
  return database.withoutPlatform((tx) =>
    tx
      .select({ role: fields.role, version: fields.version, count: sql<number>`count(*)::int` })
      .from(sql`list_processes(1000)`)
      .where(sql`live`)
      .groupBy(sql`role`, sql`version`)
      .orderBy(sql`role`, sql`version`),
  );
}
