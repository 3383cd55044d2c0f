import type { Environment } from "@cardbridge/domain";
import type { Durability } from "@cardbridge/service/database";
import type { Log } from "../log/log.ts";

/**
 * Logs what the database's settings promise for an acknowledged submission: in `live` a warning if a crash of one machine
 * can lose it. Only a synchronous standby keeps it when the primary is lost.
 */
export function logDurability(
  { fsync, synchronousCommit, synchronousStandbys }: Durability,
  environment: Environment,
  log: Pick<Log, "info" | "warn">,
): void {
  const isDurable = fsync && synchronousCommit !== "off";
  log[isDurable || environment === "test" ? "info" : "warn"]("database_durability", {
    fsync: fsync ? "on" : "off",
    synchronousCommit,
    synchronousStandbys: synchronousStandbys || "none",
  });
}
