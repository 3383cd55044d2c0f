import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Ports } from "./ports.ts";

/**
 * Reports an event of the provider about a record or a user that the database does not know: after a restore the
 * database may have forgotten it (gap G40). Otherwise the provider may confuse users.
 *
 * @param id the reference of the event; undefined if only the provider knows it
 */
export async function observeUnknown(
  { database, observer }: Pick<Ports, "database" | "observer">,
  id: string | undefined,
): Promise<void> {
  if (await isExplained(database, id)) observer.observe("restored_record_unknown", { operation: "event" });
  else observer.observe("provider_answer_mismatched", { operation: "event", reason: "mismatched" });
}

/**
 * Whether a restore explains that the database does not know a record or a user: the provider listed it, or could not
 * list it and the restore was in the last 30 days.
 */
async function isExplained(database: Database, id: string | undefined): Promise<boolean> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute(sql`
      select true from restored_executions where ${id ?? null}::text in (reference, user_reference)
      union all
      select true from restores where not listed and checked_at > clock_timestamp() - interval '30 days'
      limit 1`),
  );
  return rows.length > 0;
}
