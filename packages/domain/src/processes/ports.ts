import type { ServiceProcess } from "./process.ts";

/** The processes of the service on this database. */
export interface Processes {
  /** Lists up to `limit` processes: those that run, and those that ended without a stop within a day, latest first. */
  list(limit: number): Promise<ServiceProcess[]>;
}
