import type { Environment } from "@cardbridge/domain";
import { type Database, type KeySet, keyProblems } from "@cardbridge/store";
import { Hono } from "hono";
import type { Dependencies } from "../telemetry/process-metrics.ts";
import { databaseReasons } from "./check-database.ts";

export interface Health {
  environment: Environment;
  /** The reasons why this process is not ready for traffic; empty if it is ready. */
  reasons(): Promise<string[]>;
}

/** `live` checks the process; `ready` also checks its dependencies, except the provider. */
export function createHealthApp(health: Health): Hono {
  const app = new Hono();
  app.get("/live", (c) => c.json({ status: "live" }));
  app.get("/ready", async (c) => {
    const reasons = await health.reasons();
    const { environment } = health;
    if (reasons.length > 0) return c.json({ status: "not ready", environment, reasons }, 503);
    return c.json({ status: "ready", environment });
  });
  return app;
}

/** Why this process cannot use a dependency; empty if it can. The keys can be checked only with the database. */
interface DependencyReasons {
  database: string[];
  encryptionKeys: string[] | undefined;
}

/** Never throws. */
export async function checkDependencies(database: Database, keys: KeySet): Promise<DependencyReasons> {
  const reasons = await databaseReasons(database);
  if (reasons.length > 0) return { database: reasons, encryptionKeys: undefined };
  const unchecked = () => ["The keys could not be checked."];
  return { database: [], encryptionKeys: await keyProblems(database, keys).catch(unchecked) };
}

export function reasonsOf({ database, encryptionKeys = [] }: DependencyReasons): string[] {
  return [...database, ...encryptionKeys];
}

export function readiness({ database, encryptionKeys }: DependencyReasons): Dependencies {
  const isEmpty = (reasons: string[]) => reasons.length === 0;
  return { database: isEmpty(database), encryptionKeys: encryptionKeys && isEmpty(encryptionKeys) };
}
