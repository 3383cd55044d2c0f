import { sql } from "drizzle-orm";
import type { Ports } from "../operation/ports.ts";

/** The states of a request that needs somebody: its time is over, or the provider does not have its answer. */
export const requestStates = ["overdue", "unsent"] as const;

/** The number of requests in a state. */
export interface RequestCount {
  state: (typeof requestStates)[number];
  count: number;
  /** For how long the oldest one has been overdue or unsent, in seconds. */
  oldestSeconds: number;
}

/** Counts the requests of all platforms that need somebody. A state without requests is absent. */
export async function countDocumentRequests({ database }: Pick<Ports, "database">): Promise<RequestCount[]> {
  const { rows } = await database.withoutPlatform((tx) =>
    tx.execute<RequestCount & Record<string, unknown>>(
      sql`select state, count::int, oldest_seconds::float8 as "oldestSeconds" from count_document_requests()`,
    ),
  );
  return rows;
}
