import { until } from "../../../support/until.ts";
import type { Drill } from "../drill.ts";
import { drillUnderLoad } from "../drill.ts";
import { promote, startPair } from "../servers/pair.ts";
import { serverAt } from "../servers/postgres.ts";

const outage = 12;

/**
 * The primary freezes, and the standby takes over at its address. Connections to the former primary stay open, and it
 * continues as a primary of its own.
 */
export const freeze: Drill = {
  title: "the primary freezes, the standby is promoted, the primary continues",
  needs: ["postgres", "haproxy"],
  async run(size) {
    const { primary, standby, address, close } = await startPair();
    try {
      return await drillUnderLoad(serverAt(address.port), async ({ cluster, load }) => {
        await load.succeeded(size);
        primary.freeze();
        await load.failed(outage);
        await promote(standby);
        await address.moveTo(standby);
        await load.succeeded(size / 2);
        primary.thaw();
        await load.succeeded(size);
        // A commit that waits for the standby is on the disk, and a restart shows it.
        const database = new URL(cluster.databaseUrl).pathname.slice(1);
        const sessions = `select from pg_stat_activity where datname = '${database}'
          and usename = 'cardbridge_app' and wait_event is distinct from 'SyncRep'`;
        await until(async () => (await primary.query(sessions)).length === 0);
        await primary.stop("immediate");
        await primary.start();
        const records = "select id from kyc_records";
        const kept = new Set((await cluster.query<{ id: string }>(records)).map(({ id }) => id));
        const lost = (await primary.query<{ id: string }>(records, database)).filter(({ id }) => !kept.has(id));
        const acknowledged = new Set(cluster.replies.map(({ body }) => body.kycRecordId));
        return {
          note: `${lost.length} records only on the former primary`,
          violations: lost
            .filter(({ id }) => acknowledged.has(id))
            .map(({ id }) => `I1: ${id} was acknowledged and is only on the former primary`),
        };
      });
    } finally {
      await close();
    }
  },
};
