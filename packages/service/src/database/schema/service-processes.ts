import { processRoles } from "@cardbridge/domain";
import { pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { oneOf, ownerTask } from "./policies.ts";

/** The processes of the service. Each renews its row; see register_process. The service's role has no access. */
export const serviceProcesses = pgTable(
  "service_processes",
  {
    id: text("id").primaryKey(),
    role: text("role", { enum: processRoles }).notNull(),
    version: text("version").notNull(),
    commit: text("commit"),
    host: text("host").notNull(),
    /** The identity of its store of files; null if it could not be read at the start. */
    files: text("files"),
    startedAt: moment("started_at").notNull().defaultNow(),
    seenAt: moment("seen_at").notNull().defaultNow(),
  },
  (table) => [ownerTask("track_processes"), oneOf("service_processes_role", table.role, processRoles)],
);
