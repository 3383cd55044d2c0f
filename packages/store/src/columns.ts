import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, customType, pgPolicy, timestamp } from "drizzle-orm/pg-core";

/** Raw bytes, such as a SHA-256. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A moment, with its time zone, as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });

/** A moment to the millisecond: a Date holds exactly what is stored. */
export const milliseconds = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** A moment that a statement reads, as the service shows it: RFC 3339, in UTC. */
export const shownMoment = (expression: SQL) =>
  expression.mapWith((text: string) => new Date(text).toISOString());

/**
 * Row-level security: a row is there for its own platform only. After a transaction the setting reads '',
 * which no platform is called.
 */
export const ofPlatform = (platform: AnyPgColumn) =>
  pgPolicy("of_platform", { using: sql`${platform} = current_setting('cardbridge.platform', true)` });

/** Lets a function that runs as the tables' owner past the platforms while it says that it does this task. */
export const ofTask = (task: string) =>
  pgPolicy(`owner_${task}`, {
    for: "all",
    to: "current_user",
    using: sql.raw(`current_setting('cardbridge.task', true) = '${task}'`),
  });
