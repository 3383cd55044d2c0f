import { sql } from "drizzle-orm";

/** The planner prefers a scan of the whole table to many rows in the order of an index. */
export const indexesOnly = sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;
