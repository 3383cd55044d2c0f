import type { Environment } from "@cardbridge/domain";
import type { Database } from "./database.ts";
import { serviceEnvironment } from "./schema.ts";

/** The environment of a database; undefined before its first service. Throws as `Database.withoutPlatform`. */
export function readEnvironment(database: Database): Promise<Environment | undefined> {
  return database.withoutPlatform(async (tx) => (await tx.select().from(serviceEnvironment))[0]?.name);
}

/** Stores the environment of a database for ever, unless it has one. Throws as `Database.withoutPlatform`. */
export async function claimEnvironment(database: Database, environment: Environment): Promise<void> {
  await database.withoutPlatform((tx) =>
    tx.insert(serviceEnvironment).values({ name: environment }).onConflictDoNothing(),
  );
}
