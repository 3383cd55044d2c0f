import { createCardProvider } from "@cardbridge/provider";
import {
  type Database,
  keyDesk,
  kycDesk,
  kycRecordsRepository,
  openDatabase,
  platformsRepository,
} from "@cardbridge/store";
import { mintKey } from "../auth/api-key.ts";
import { type Env, readEnv } from "../env.ts";
import { ids } from "../ids.ts";
import type { ByHandPorts } from "../operations/by-hand.ts";
import type { AdminPorts } from "../operations/index.ts";
import { kycRecordsOptions, providerOptions } from "../options.ts";
import { checkDatabase } from "../start/check-database.ts";
import { findDatabase } from "../start/database.ts";
import { findProvider } from "../start/provider.ts";

/* Constructs what a command works with, as container.ts does for the service, and closes it behind it. */

/** Runs `use` with the desk of KYC records. */
export function withDesk<T>(use: (desk: ByHandPorts["desk"]) => Promise<T>): Promise<T> {
  const env = readEnv();
  return withDatabase(env, (database) => use(kycDesk(database, kycRecordsOptions(env))));
}

/** Runs `use` with everything that a person's attempt needs. */
export async function withByHand<T>(use: (ports: ByHandPorts) => Promise<T>): Promise<T> {
  const env = readEnv();
  const address = await findProvider(env);
  return withDatabase(env, async (database) => {
    // What the log and the metrics would hear, the person reads.
    const observer = { observe() {} };
    const provider = createCardProvider({ ...providerOptions(env, address), observer });
    const kycRecords = kycRecordsRepository(database, kycRecordsOptions(env));
    const desk = kycDesk(database, kycRecordsOptions(env));
    try {
      return await use({ desk, kycRecords, provider, observer });
    } finally {
      await provider.close();
    }
  });
}

/** Runs `use` with what looking after platforms and keys needs. */
export function withAdmin<T>(use: (ports: AdminPorts) => Promise<T>): Promise<T> {
  return withDatabase(readEnv(), (database) =>
    use({ platforms: platformsRepository(database), keys: keyDesk(database), mintKey, ids }),
  );
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
