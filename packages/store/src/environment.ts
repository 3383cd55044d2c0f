import type { Environment } from "@cardbridge/domain";
import type { Database } from "./database.ts";
import { requireRow } from "./require-row.ts";
import { serviceEnvironment } from "./schema.ts";

/**
 * Returns the environment of a database. A database without one takes that of its first service.
 * @throws as `Database.withoutPlatform`.
 */
export function databaseEnvironment(database: Database, first: Environment): Promise<Environment> {
  return database.withoutPlatform(async (tx) => {
    await tx.insert(serviceEnvironment).values({ name: first }).onConflictDoNothing();
    return requireRow(await tx.select().from(serviceEnvironment), "environment").name;
  });
}
