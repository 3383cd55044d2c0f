import { createFileInspector } from "@cardbridge/files";
import type { Ports } from "@cardbridge/operations";
import {
  auditRepository,
  type Database,
  encryptionKeysRepository,
  erasures,
  filesRepository,
  type Keys,
  keyAdmin,
  keyProblems,
  kycAdmin,
  kycRecordsRepository,
  openDatabase,
  platformsRepository,
  userAdmin,
  usersRepository,
  WrongKeys,
} from "@cardbridge/store";
import { mintKey } from "../api-keys/api-key.ts";
import { keysOf } from "../config/encryption-keys.ts";
import { type Env, readEnv } from "../config/env.ts";
import { kycRecordsOptions, publicUrlOf } from "../config/options.ts";
import { createFileUrls } from "../file-downloads/file-urls.ts";
import { checkDatabase } from "./check-database.ts";
import { findDatabase } from "./database.ts";
import { ids } from "./ids.ts";
import { lazyBlobs, lazyProvider } from "./lazy-ports.ts";
import { scanOf } from "./virus-scan.ts";

/** What has to be usable before a command starts: the provider, or the keys of personal data. */
export type Requirement = "provider" | "keys";

/** The command line has no log and no metrics: a command reports its result itself. */
const observer = { observe() {} };

/**
 * Constructs the ports of the service from the environment for one command, over one connection, and closes them.
 * @throws ConfigurationError, StartError or WrongKeys where the environment cannot be used.
 */
export async function withOperatorPorts<T>(
  requires: readonly Requirement[],
  use: (ports: Ports) => Promise<T>,
): Promise<T> {
  const env = readEnv();
  const keys = keysOf(env);
  const provider = lazyProvider(env, observer);
  const database = openDatabase({ url: await findDatabase(env), maxConnections: 1, onError: () => {} });
  try {
    await checkDatabase(database);
    if (requires.includes("provider")) await provider.open();
    if (requires.includes("keys")) await checkKeys(database, keys);
    return await use({ ...databasePorts(env, database, keys), provider, mintKey, ids, observer });
  } finally {
    await Promise.all([provider.close(), database.close()]);
  }
}

function databasePorts(env: Env, database: Database, keys: Keys) {
  const options = kycRecordsOptions(env);
  return {
    users: usersRepository(database, keys),
    userAdmin: userAdmin(database, keys),
    erasures: erasures(database),
    kycRecords: kycRecordsRepository(database, options),
    kycAdmin: kycAdmin(database, options),
    platforms: platformsRepository(database),
    keys: keyAdmin(database),
    encryptionKeys: encryptionKeysRepository(database, keys),
    inspector: createFileInspector({ scan: scanOf(env) }),
    files: filesRepository(database, keys, lazyBlobs(env)),
    fileUrls: createFileUrls(publicUrlOf(env), keys.urls),
    audit: auditRepository(database, keys),
  };
}

/** @throws WrongKeys where the environment has other keys than those that the database was used with. */
async function checkKeys(database: Database, keys: Keys): Promise<void> {
  const problems = await keyProblems(database, keys);
  if (problems.length > 0) throw new WrongKeys(problems);
}
