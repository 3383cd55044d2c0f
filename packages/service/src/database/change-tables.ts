import type { Client } from "pg";
import { withConnection } from "./connect.ts";
import { type MigrationTransactionOptions, migrationTransaction } from "./migration-transaction.ts";

/**
 * Changes tables as their owner, as `migrationTransaction` does.
 * @param name of the change, for messages
 * @throws MigrationRefused, or a ConfigurationError without the owner's URL.
 */
export type ChangeTables = <T>(
  name: string,
  change: (client: Client) => Promise<T>,
  options?: MigrationTransactionOptions,
) => Promise<T>;

/** @param ownerUrl returns the owner's URL, or throws if there is none */
export function tableChanges(ownerUrl: () => string): ChangeTables {
  return async (name, change, options) =>
    withConnection(ownerUrl(), (client) => migrationTransaction(client, name, () => change(client), options));
}
