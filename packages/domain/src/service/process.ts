import * as z from "zod";
import { moment } from "../input/formats.ts";
import { listLimit, moreThanLimit } from "../input/pagination.ts";

/** What a process of the service runs: the API, the worker or both. */
export const processRoles = ["all", "api", "worker"] as const;

/** A process of the service, from its heartbeat in the database. */
const serviceProcess = z
  .object({
    processId: z.string(),
    role: z.enum(processRoles).meta({ description: "The process's RUN." }),
    version: z.string(),
    commit: z.string().nullable().meta({ description: "The process's COMMIT." }),
    host: z.string().meta({ description: "The name of its machine or container." }),
    startedAt: moment,
    seenAt: moment.meta({ description: "The time of its last heartbeat." }),
    live: z.boolean().meta({
      description: "Whether its last heartbeat is less than 45 seconds old. A stopped process is not listed.",
    }),
  })
  .meta({ id: "ServiceProcess" });
export type ServiceProcess = z.output<typeof serviceProcess>;

export const processListQuery = z.object({ limit: listLimit(200) });
export const processPage = z.object({ processes: z.array(serviceProcess), more: moreThanLimit });
