import type { Database } from "@cardbridge/store";
import type { Log } from "../log/log.ts";

/**
 * Logs what the database's settings promise for an acknowledged submission: a warning if a crash of one machine can
 * lose it. Only a synchronous standby keeps it when the primary is lost.
 */
export async function logDurability(
  database: Pick<Database, "durability">,
  log: Pick<Log, "info" | "warn">,
): Promise<void> {
  const { fsync, synchronousCommit, synchronousStandbys } = await database.durability();
  const isDurable = fsync && synchronousCommit !== "off";
  log[isDurable ? "info" : "warn"]("database_durability", {
    fsync: fsync ? "on" : "off",
    synchronousCommit,
    synchronousStandbys: synchronousStandbys || "none",
  });
}
