import type { Database } from "@cardbridge/store";
import { ConfigurationError } from "../env.ts";

/**
 * Refuses a database that the service could not be trusted with: not reachable, not migrated, or under a
 * role for which row-level security would not hold.
 * @throws ConfigurationError with every reason at once.
 */
export async function checkDatabase(database: Database): Promise<void> {
  const health = await database.health();
  const reasons = health.length > 0 ? health : await database.checkRole();
  if (reasons.length > 0) throw new ConfigurationError(reasons.map((reason) => `DATABASE_URL: ${reason}`));
}
