import { type SQL, sql } from "drizzle-orm";
import { customType, text, timestamp } from "drizzle-orm/pg-core";

/** Raw bytes, such as a SHA-256. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** JSON; null is SQL's NULL, also as the value of a placeholder, which drizzle's own jsonb stores as JSON's null. */
export const nullableJson = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "jsonb",
  toDriver: (value) => (value === null ? null : JSON.stringify(value)),
});

/** A timestamp with time zone, as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });

/** A timestamp in whole milliseconds: a Date holds exactly what is stored. */
export const milliseconds = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The trace of the transaction that inserted the row, as a W3C traceparent; null if it was not traced. */
export const traceparent = () =>
  text("traceparent").default(sql`nullif(current_setting('cardbridge.traceparent', true), '')`);

/** A timestamp that a statement selects, as the service returns it: RFC 3339, in UTC. */
export const shownMoment = (expression: SQL) =>
  expression.mapWith((text: string) => new Date(text).toISOString());
