import { type SQL, sql } from "drizzle-orm";

/** A place in the order of creation. */
export interface SearchPosition {
  /** Microseconds since 1970. */
  at: number;
  id: string;
}

/** Compares rows as the indexes do: ids byte by byte. */
export function comparison(order: "oldest" | "newest") {
  const sign = order === "newest" ? -1 : 1;
  return (one: SearchPosition, other: SearchPosition) =>
    sign * (one.at - other.at || (one.id < other.id ? -1 : Number(one.id > other.id)));
}

/** The planner prefers a scan of the whole table to many rows in the order of an index. */
export const indexesOnly = sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`;

/** A point in time from microseconds, which a Date cannot hold. */
export const toMoment = (microseconds: SQL) =>
  sql`timestamptz 'epoch' + ${microseconds} * interval '1 microsecond'`;
export const toMicroseconds = (moment: SQL) => sql<string>`(extract(epoch from ${moment}) * 1000000)::bigint`;
