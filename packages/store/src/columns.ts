import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, customType, pgPolicy, timestamp } from "drizzle-orm/pg-core";

/** Raw bytes, such as a SHA-256. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A moment, with its time zone, as a Date. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });

/** A moment that a statement reads, as the service shows it: RFC 3339, in UTC. */
export const shownMoment = (expression: SQL) =>
  expression.mapWith((text: string) => new Date(text).toISOString());

/**
 * Row-level security: a row is there for its own platform only. After a transaction the setting reads '',
 * which no platform is called.
 */
export const ofPlatform = (platform: AnyPgColumn) =>
  pgPolicy("of_platform", { using: sql`${platform} = current_setting('cardbridge.platform', true)` });
