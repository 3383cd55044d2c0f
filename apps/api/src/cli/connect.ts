import type { Actor } from "@cardbridge/domain";
import { createCardProvider } from "@cardbridge/provider";
import {
  auditRepository,
  type Database,
  type Keys,
  kycDesk,
  kycRecordsRepository,
  openDatabase,
} from "@cardbridge/store";
import { type Env, readEnv } from "../env.ts";
import { keysOf } from "../keys.ts";
import type { ByHandPorts } from "../operations/by-hand.ts";
import type { ShowPorts } from "../operations/show-by-hand.ts";
import { kycRecordsOptions, providerOptions } from "../options.ts";
import { checkDatabase } from "../start/check-database.ts";
import { findDatabase } from "../start/database.ts";
import { findProvider } from "../start/provider.ts";

/* Constructs what a command works with, as container.ts does for the service, and closes it behind it. */

/** Runs `use` with the desk of KYC records, at which `by` sits, and with the audit. */
export function withDesk<T>(by: Actor, use: (ports: ShowPorts) => Promise<T>): Promise<T> {
  const env = readEnv();
  return withDatabase(env, (database) => {
    const desk = kycDesk(database, { ...kycRecordsOptions(env), by });
    return use({ desk, audit: auditRepository(database, keysOf(env)) });
  });
}

/** Runs `use` with the database and with what opens the audit. */
export function withAudit<T>(use: (database: Database, keys: Keys) => Promise<T>): Promise<T> {
  const env = readEnv();
  return withDatabase(env, (database) => use(database, keysOf(env)));
}

/** Runs `use` with everything that a person's attempt needs. */
export async function withByHand<T>(by: Actor, use: (ports: ByHandPorts) => Promise<T>): Promise<T> {
  const env = readEnv();
  const address = await findProvider(env);
  return withDatabase(env, async (database) => {
    // What the log and the metrics would hear, the person reads.
    const observer = { observe() {} };
    const provider = createCardProvider({ ...providerOptions(env, address), observer });
    const kycRecords = kycRecordsRepository(database, kycRecordsOptions(env));
    const desk = kycDesk(database, { ...kycRecordsOptions(env), by });
    try {
      return await use({ desk, kycRecords, provider, observer });
    } finally {
      await provider.close();
    }
  });
}

async function withDatabase<T>(env: Env, use: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url: await findDatabase(env), maxConnections: 1, onError: () => {} });
  try {
    await checkDatabase(database);
    return await use(database);
  } finally {
    await database.close();
  }
}
