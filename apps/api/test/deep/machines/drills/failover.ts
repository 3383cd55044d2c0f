import { type Drill, drillUnderLoad } from "../drill.ts";
import { promote, startPair } from "../servers/pair.ts";
import { serverAt } from "../servers/postgres.ts";

/** The calls that fail before the standby is promoted. */
const outage = 30;

/** The primary is lost. Its synchronous standby takes over. */
export const failover: Drill = {
  title: "the primary is killed, the synchronous standby is promoted",
  needs: ["postgres", "haproxy"],
  short: true,
  async run(size) {
    const { primary, standby, address } = await startPair();
    return drillUnderLoad(serverAt(address.port), async ({ load }) => {
      await load.succeeded(size);
      await primary.kill();
      await load.failed(outage);
      await promote(standby);
      await address.moveTo(standby);
      await load.succeeded(size);
      return undefined;
    });
  },
};
