import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, check, pgPolicy } from "drizzle-orm/pg-core";

/**
 * Tenant isolation: a transaction sees only the rows of its own platform. After the transaction, the setting is '',
 * which is not a valid platform id.
 */
export const platformIsolation = (platform: AnyPgColumn) =>
  pgPolicy("platform_isolation", { using: sql`${platform} = current_setting('cardbridge.platform', true)` });

/** Lets a SECURITY DEFINER function access all tenants while `cardbridge.task` is set to this task. */
export const ownerTask = (task: string, command: "all" | "select" | "update" | "insert" = "all") =>
  pgPolicy(`owner_${task}`, {
    for: command,
    to: "current_user",
    [command === "insert" ? "withCheck" : "using"]: sql.raw(
      `current_setting('cardbridge.task', true) = '${task}'`,
    ),
  });

/** For a table without tenants: every transaction sees all of its rows. */
export const ofAll = (name: string) => pgPolicy(name, { using: sql`true` });
/** The role of reads over several platforms. The migration creates it. */
export const operatorsRole = "cardbridge_operators";

const readPlatforms = "current_setting('cardbridge.platforms', true)";

/**
 * Lets reads over platforms see the rows of the platforms in `cardbridge.platforms`, comma-separated, or `*` for all.
 * The service's role is a member, so the policy also compares the current role. The list is read once per statement.
 */
export const operatorsRead = (platform: AnyPgColumn) =>
  pgPolicy("operators_read", {
    for: "select",
    to: operatorsRole,
    using: sql`current_user = ${sql.raw(`'${operatorsRole}'`)} and ((select ${sql.raw(readPlatforms)}) = '*' or ${platform} in (select unnest(string_to_array(${sql.raw(readPlatforms)}, ','))))`,
  });

/**
 * Restricts a column to the values of the domain; NULL passes where the column allows it. The tables of records and the
 * audit have no such checks: they were a tenth of the server's time for a submission, and the types of the service hold.
 */
export const oneOf = (name: string, column: AnyPgColumn | SQL, values: readonly string[]) =>
  check(name, sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`);
