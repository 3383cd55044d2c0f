import type { Environment, ServiceProcess } from "@cardbridge/domain";
import { renewedState, withTimeout } from "@cardbridge/node";
import { Hono } from "hono";
import { explainReason } from "../process/reason-texts.ts";
import type { Dependencies } from "../telemetry/process-metrics.ts";

/** The time limit of the answer, in milliseconds. A load balancer waits for two seconds. */
const answerMs = 1_500;
/** The time between two checks of the file store, in milliseconds. Each can be a request to a bucket. */
const filesMs = 10_000;

/** How many live processes have a role and a version. */
interface ProcessCount extends Pick<ServiceProcess, "role" | "version"> {
  count: number;
}

interface HealthState {
  /** Why this process is not ready for traffic; empty if it is ready. */
  reasons: string[];
  /** What this process cannot use although it is ready. */
  warnings: string[];
  /** The live processes on the database, if they can be counted. */
  processes?: ProcessCount[] | undefined;
}

export interface Health {
  environment: Environment;
  state(): Promise<HealthState>;
}

/** `live` checks the process; `ready` also checks its dependencies, except the provider. */
export function createHealthApp(health: Health): Hono {
  const app = new Hono();
  app.get("/live", (c) => c.json({ status: "live" }));
  app.get("/ready", async (c) => {
    const { reasons, warnings, processes } = await health.state();
    const { environment } = health;
    const more = { ...(warnings.length > 0 && { warnings }), ...(processes && { processes }) };
    if (reasons.length > 0) return c.json({ status: "not ready", environment, reasons, ...more }, 503);
    return c.json({ status: "ready", environment, ...more });
  });
  return app;
}

/** Why this process cannot use a dependency; empty if it can. The keys can be checked only with the database. */
interface CheckedDependencies {
  database: string[];
  encryptionKeys: string[] | undefined;
  files: string[];
  /** The live processes on the database; undefined if they cannot be counted, which is no reason. */
  processes: ProcessCount[] | undefined;
}

/** The checks of the dependencies. The first three give the reasons why a dependency is unusable; empty if it is usable. */
interface Checks {
  database(): Promise<string[]>;
  encryptionKeys(): Promise<string[]>;
  files(): Promise<string[]>;
  processes(): Promise<ProcessCount[]>;
}

/**
 * Checks the dependencies of a process, and counts the processes. A check runs at most once a second, and never twice
 * at once. Answers within two seconds, also if a dependency hangs. Never throws.
 */
export function checkDependencies(checks: Checks): () => Promise<CheckedDependencies> {
  const ofDatabase = renewedState(() => checkDatabaseAndKeys(checks));
  const ofFiles = renewedState(checks.files, { everyMs: filesMs });
  const ofProcesses = renewedState(checks.processes);
  const late = explainReason("timeout");
  return async () => {
    const [databaseAndKeys, files, processes] = await Promise.all([
      withTimeout(answerMs, ofDatabase()),
      withTimeout(answerMs, ofFiles()),
      withTimeout(answerMs, ofProcesses()),
    ]);
    return {
      ...(databaseAndKeys ?? {
        database: [`The database cannot be reached: ${late}.`],
        encryptionKeys: undefined,
      }),
      files: files ?? [`The file store cannot be used: ${late}.`],
      processes,
    };
  };
}

async function checkDatabaseAndKeys({
  database,
  encryptionKeys,
}: Checks): Promise<Pick<CheckedDependencies, "database" | "encryptionKeys">> {
  const reasons = await database();
  if (reasons.length > 0) return { database: reasons, encryptionKeys: undefined };
  const unchecked = () => ["The keys could not be checked."];
  return { database: [], encryptionKeys: await encryptionKeys().catch(unchecked) };
}

/** A process without its file store serves every call but uploads, and submissions with uploaded files. */
export function healthOf(checked: CheckedDependencies): HealthState {
  const { database, encryptionKeys = [], files, processes } = checked;
  return { reasons: [...database, ...encryptionKeys], warnings: files, processes };
}

export function readiness({ database, encryptionKeys, files }: CheckedDependencies): Dependencies {
  const isEmpty = (reasons: string[]) => reasons.length === 0;
  return {
    database: isEmpty(database),
    encryptionKeys: encryptionKeys && isEmpty(encryptionKeys),
    files: isEmpty(files),
  };
}
