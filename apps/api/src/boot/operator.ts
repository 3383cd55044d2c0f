import type { CardProvider, ConnectedProvider, Policies, ProviderSlots } from "@cardbridge/domain";
import type { Ports } from "@cardbridge/service";
import {
  type Database,
  type KeySet,
  keyProblems,
  noLookupCache,
  openDatabase,
  providerIds,
  readCurrentPauses,
  WrongKeys,
} from "@cardbridge/service/database";
import { createKnownPauses, createProviderSlots } from "../admission/pauses.ts";
import { readEnv } from "../config/env.ts";
import { openAdapters } from "./adapters.ts";
import { checkDatabase } from "./checks.ts";
import { findDatabase } from "./database.ts";
import { lazyBlobs } from "./files.ts";
import { encryptionKeys, policiesOf, publicUrlOf } from "./options.ts";
import { createPorts } from "./ports.ts";
import { capabilitiesOf, connectProvider, findProvider } from "./provider.ts";

/** A requirement of a command: a provider, or the keys of personal data. */
export type Requirement = "provider" | "keys";

/** The command line has no log and no metrics. */
const observer = { observe() {} };
/** The command line makes one call at a time. */
const slots: Pick<ProviderSlots, "tryTake" | "room" | "run"> = {
  tryTake: () => ({ held: true, release() {} }),
  room: () => 1,
  run: (_platformId, work) => work(),
};

const notConnected = () => Promise.reject(new Error("The command does not require the provider."));
const noProvider: CardProvider = {
  listCards: notConnected,
  findCard: notConnected,
  submitKyc: notConnected,
  findKyc: notConnected,
};

/**
 * Creates the service's ports from the environment for one command, with one connection, and closes them.
 * @throws ConfigurationError, StartError or WrongKeys if the environment is not usable.
 */
export async function withOperatorPorts<T>(
  source: NodeJS.ProcessEnv,
  requires: readonly Requirement[],
  use: (ports: Ports, policies: Policies) => Promise<T>,
): Promise<T> {
  const env = readEnv(source);
  const keys = encryptionKeys(env);
  const database = openDatabase({
    url: await findDatabase(env),
    maxConnections: 1,
    preparedStatements: env.DATABASE_PREPARED_STATEMENTS,
    onError: () => {},
  });
  let connected: ConnectedProvider | undefined;
  const pauses = createKnownPauses({ onChange() {} });
  // Its processes start with the first file or page, and its clients connect with the first request.
  const { close: closeAdapters, ...adapters } = openAdapters(env);
  try {
    await checkDatabase(database, env.ENVIRONMENT);
    if (requires.includes("provider")) {
      pauses.replace(await readCurrentPauses(database));
      connected = connectProvider(env, await findProvider(env), { observer, ids: providerIds(database) });
    }
    if (requires.includes("keys")) await checkKeys(database, keys);
    const publicUrl = publicUrlOf(env);
    return await use(
      createPorts({
        ...adapters,
        env,
        database,
        keys,
        providerSlots: createProviderSlots(slots, pauses, () => 0),
        blobs: lazyBlobs(env),
        observer,
        publicUrl,
        provider: connected ?? noProvider,
        cache: noLookupCache,
      }),
      policiesOf(env, publicUrl, { capabilities: capabilitiesOf(env.PROVIDER), readsExternalFiles: true }),
    );
  } finally {
    await Promise.all([connected?.close(), closeAdapters(), database.close()]);
  }
}

/** @throws WrongKeys if the environment's keys do not match the database. */
async function checkKeys(database: Database, keys: KeySet): Promise<void> {
  const problems = await keyProblems(database, keys);
  if (problems.length > 0) throw new WrongKeys(problems);
}
