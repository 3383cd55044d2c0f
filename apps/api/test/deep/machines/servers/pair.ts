import { prepareTestServer } from "@cardbridge/service/database/testing";
import { until } from "../../../support/until.ts";
import { type Address, startAddress } from "./address.ts";
import { createPostgres, type PostgresServer, serverAt } from "./postgres.ts";

/** A primary and its synchronous standby, behind one address. */
export interface Pair {
  primary: PostgresServer;
  standby: PostgresServer;
  address: Address;
}

/** Starts two servers with the template of the test databases. A commit waits until the standby has it. */
export async function startPair(): Promise<Pair> {
  const primary = await createPostgres();
  await prepareTestServer(serverAt(primary.port));
  const standby = await createPostgres(primary);
  await waitForStandby(primary);
  const address = await startAddress(primary);
  return { primary, standby, address };
}

/** Makes commits on a primary wait for its standby from now on. */
export async function waitForStandby(primary: PostgresServer): Promise<void> {
  await primary.configure("synchronous_standby_names", "*");
  await until(async () => {
    const standbys = await primary.query("select from pg_stat_replication where sync_state = 'sync'");
    return standbys.length === 1;
  });
}

/** Makes a standby the primary. It has no standby of its own, for which its commits would wait. */
export async function promote(standby: PostgresServer): Promise<void> {
  await standby.configure("synchronous_standby_names", "");
  await standby.promote();
}
