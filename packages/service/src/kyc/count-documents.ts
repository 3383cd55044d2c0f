import { sql } from "drizzle-orm";
import type { Ports } from "../operation/ports.ts";

/** A document expires, has expired, was never looked at, or is due to be looked at again. */
export const documentStates = ["expiring", "expired", "unchecked", "due"] as const;

/** The most records that are counted in a state. */
export const maxDocuments = 100_000;

/** The number of approved records whose document is in a state. */
export interface DocumentCount {
  state: (typeof documentStates)[number];
  count: number;
  /** For how long the oldest one has been due, in seconds; 0 for other states. */
  oldestSeconds: number;
}

/** Counts the approved records of all platforms by the state of their document. */
export async function countDocuments({ database }: Pick<Ports, "database">): Promise<DocumentCount[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<DocumentCount & Record<string, unknown>>(
      sql`select state, count::int, oldest_seconds::float8 as "oldestSeconds" from count_documents(${maxDocuments})`,
    ),
  );
  return rows;
}
