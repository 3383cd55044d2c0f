import { type Drill, drillUnderLoad } from "../drill.ts";
import { promote, startPair, waitForStandby } from "../servers/pair.ts";
import { type PostgresServer, serverAt } from "../servers/postgres.ts";

/** The calls that a standby refuses, because it is read-only, before the address moves. */
const refused = 12;

/** Stops a primary, promotes its standby, and starts the former primary as the new standby. */
async function demote(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  await primary.stop("fast");
  await promote(standby);
  await primary.follow(standby);
  await primary.start();
  await waitForStandby(standby);
}

/** The roles of the two servers are exchanged, and later exchanged back. */
export const switchover: Drill = {
  title: "the primary becomes a standby, and later the primary again",
  needs: ["postgres", "haproxy"],
  short: true,
  async run(size) {
    const { primary, standby, address } = await startPair();
    return drillUnderLoad(serverAt(address.port), async ({ load }) => {
      await load.succeeded(size);
      await demote(primary, standby);
      // Until the address moves, it leads to a server that is now read-only.
      await load.failed(refused);
      await address.moveTo(standby);
      await load.succeeded(size);
      await demote(standby, primary);
      await address.moveTo(primary);
      await load.succeeded(size);
      return undefined;
    });
  },
};
