import { processListQuery, processPage, type ServiceProcess } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { shownMoment } from "../database/schema/columns.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";

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

/** Lists the processes of the service, by their last heartbeats. */
export const listProcesses = defineOperation({
  ...forOperators("ops.platforms"),
  reach: "service",
  id: "processes.list",
  kind: "read",
  summary: "List the service's processes",
  description:
    "Lists the processes of the service on this database, the last heartbeat first. A process that was killed remains " +
    "for a day.",
  input: processListQuery,
  rules: [],
  output: processPage,
  example: {
    input: {},
    output: {
      processes: [
        {
          processId: "prc_01jexample0000000000000000",
          role: "api",
          version: "0.3.1",
          commit: null,
          host: "web-1",
          startedAt: "2026-01-31T12:00:00.000Z",
          seenAt: "2026-01-31T12:30:00.000Z",
          live: true,
        },
      ],
      more: false,
    },
  },
  errors: [],
  audit: [],

  async run({ database }, _call, { limit }) {
    const { items, more } = await listUpTo(limit, (max) =>
      database.withoutPlatform((tx) => tx.select(fields).from(sql`list_processes(${max}::integer)`)),
    );
    return { data: { processes: items, more } };
  },
});

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
