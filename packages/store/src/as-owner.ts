import { withConnection } from "./connect.ts";
import type { Tx } from "./statements.ts";
import { transaction } from "./transaction.ts";

/**
 * Writes rows of one platform on the connection of the tables' owner, which seeds a database for development and
 * tests. Row-level security applies to the owner too, so the transaction names the platform.
 */
export async function asOwner(
  ownerUrl: string,
  platformId: string,
  write: (tx: Tx) => PromiseLike<unknown>,
): Promise<void> {
  await withConnection(ownerUrl, (client) => transaction(client, platformId, async (tx) => write(tx)));
}
