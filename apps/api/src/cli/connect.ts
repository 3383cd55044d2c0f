import type { Actor } from "@cardbridge/domain";
import type { AdminPorts } from "@cardbridge/operations";
import { createCardProvider } from "@cardbridge/provider";
import {
  auditRepository,
  type Database,
  erasures,
  type Keys,
  keyAdmin,
  keyProblems,
  kycAdmin,
  kycRecordsRepository,
  openDatabase,
  platformsRepository,
  userAdmin,
  WrongKeys,
} from "@cardbridge/store";
import { mintKey } from "../api-keys/api-key.ts";
import { checkDatabase } from "../composition/check-database.ts";
import { findDatabase } from "../composition/database.ts";
import { ids } from "../composition/ids.ts";
import { kycRecordsOptions, providerOptions, publicUrlOf } from "../composition/options.ts";
import { findProvider } from "../composition/provider.ts";
import { keysOf } from "../config/encryption-keys.ts";
import { type Env, readEnv } from "../config/env.ts";
import { createFileUrls } from "../file-downloads/file-urls.ts";
import type { ByHandPorts } from "../operations/by-hand.ts";
import type { ShowPorts } from "../operations/show-by-hand.ts";

/* Constructs what a command works with, as container.ts does for the service, and closes it behind it. */

/** What the log and the metrics would hear, the person reads. */
const unheard = { observe() {} };

/** Runs `use` with the desk of KYC records, at which `by` sits, and with the audit. */
export function withDesk<T>(by: Actor, use: (ports: ShowPorts) => Promise<T>): Promise<T> {
  const env = readEnv();
  return withDatabase(env, (database) => {
    const desk = kycAdmin(database, { ...kycRecordsOptions(env), by });
    return use({ desk, audit: auditRepository(database, keysOf(env)) });
  });
}

/** Runs `use` with the database and with what opens the audit. */
export function withAudit<T>(use: (database: Database, keys: Keys) => Promise<T>): Promise<T> {
  const env = readEnv();
  return withDatabase(env, (database) => use(database, keysOf(env)));
}

/**
 * Runs `use` with the database and the keys of personal data, once the database has agreed to them.
 * @throws WrongKeys where the environment gives others.
 */
export function withKeys<T>(use: (database: Database, keys: Keys) => Promise<T>): Promise<T> {
  return withAudit(async (database, keys) => {
    const problems = await keyProblems(database, keys);
    if (problems.length > 0) throw new WrongKeys(problems);
    return use(database, keys);
  });
}

/** Runs `use` with everything that a person's attempt needs. */
export async function withByHand<T>(by: Actor, use: (ports: ByHandPorts) => Promise<T>): Promise<T> {
  const env = readEnv();
  const address = await findProvider(env);
  return withDatabase(env, async (database) => {
    const provider = createCardProvider({ ...providerOptions(env, address), observer: unheard });
    const kycRecords = kycRecordsRepository(database, kycRecordsOptions(env));
    const desk = kycAdmin(database, { ...kycRecordsOptions(env), by });
    try {
      const fileUrls = createFileUrls(publicUrlOf(env), keysOf(env).urls);
      return await use({ desk, kycRecords, provider, observer: unheard, fileUrls });
    } finally {
      await provider.close();
    }
  });
}

/** Runs `use` with what looking after platforms, keys and users needs. */
export function withAdmin<T>(use: (ports: AdminPorts) => Promise<T>): Promise<T> {
  const env = readEnv();
  return withDatabase(env, (database) => {
    const keys = keysOf(env);
    const audit = auditRepository(database, keys);
    const desks = {
      platforms: platformsRepository(database),
      keys: keyAdmin(database),
      userAdmin: userAdmin(database, keys),
      erasures: erasures(database),
    };
    return use({ ...desks, mintKey, ids, audit, observer: unheard });
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
