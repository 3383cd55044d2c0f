import { withConnection } from "./connect.ts";
import type { Tx } from "./statements.ts";
import { transaction } from "./transaction.ts";

/**
 * Writes rows of one platform as the owner of the tables, to seed a database for development and tests.
 * Row-level security applies to the owner too, so the transaction sets the platform.
 */
export async function asOwner(
  ownerUrl: string,
  platformId: string,
  write: (tx: Tx) => PromiseLike<unknown>,
): Promise<void> {
  await withConnection(ownerUrl, (client) =>
    transaction(client, { platform: platformId }, async (tx) => write(tx)),
  );
}
