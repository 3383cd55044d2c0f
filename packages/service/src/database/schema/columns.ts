import { type SQL, sql } from "drizzle-orm";
import { customType, text, timestamp } from "drizzle-orm/pg-core";

/** Raw bytes, such as a SHA-256. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** JSON whose null is SQL's NULL, also in a placeholder, where drizzle's own jsonb stores JSON's null. */
export const nullableJson = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => "jsonb",
  toDriver: (value) => (value === null ? null : JSON.stringify(value)),
});

/** A timestamp with time zone, as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });

/** A timestamp in whole milliseconds, so that a Date represents the stored value exactly. */
export const milliseconds = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** The trace of the transaction that inserted the row, as a W3C traceparent; null if it was not traced. */
export const traceparent = () =>
  text("traceparent").default(sql`nullif(current_setting('cardbridge.traceparent', true), '')`);

/** A selected timestamp in the format that the service returns: RFC 3339 in UTC. */
export const shownMoment = (expression: SQL) =>
  expression.mapWith((text: string) => new Date(text).toISOString());
