import { until } from "../../../support/until.ts";
import { type Drill, drillUnderLoad } from "../drill.ts";
import { type Pair, promote, startPair } from "../servers/pair.ts";
import { serverAt } from "../servers/postgres.ts";

/** The calls at once that open every connection of the pools. */
const burst = 100;

/**
 * The primary freezes, and the standby takes over at its address. Connections to the former primary stay open, and it
 * continues as a primary of its own, whose commits wait for a standby for ever.
 *
 * @param failures the calls that fail before the standby takes over
 */
const freeze = (title: string, failures: number): Drill => ({
  title,
  needs: ["postgres", "haproxy"],
  async run(size) {
    const pair = await startPair();
    const { primary, standby, address } = pair;
    return drillUnderLoad(serverAt(address.port), async ({ cluster, load }) => {
      await load.succeeded(size);
      await load.burst(burst);
      primary.freeze();
      await load.failed(failures);
      await promote(standby);
      await address.moveTo(standby);
      primary.thaw();
      await load.succeeded(size);
      const lost = await recordsOnlyOn(pair, new URL(cluster.databaseUrl).pathname.slice(1));
      return { note: `${lost} records only on the former primary` };
    });
  },
});

/** Counts the records that only the former primary has, after every session of the service has left it. */
async function recordsOnlyOn({ primary, standby }: Pair, database: string): Promise<number> {
  // A commit that waits for the standby does not notice that its client has gone.
  const sessions = `select from pg_stat_activity where datname = '${database}'
    and usename = 'cardbridge_app' and wait_event is distinct from 'SyncRep'`;
  await until(async () => (await primary.query(sessions)).length === 0);
  // After a restart, they are committed.
  await primary.stop("immediate");
  await primary.start();
  const idsOn = async ({ query }: Pair["primary"]) =>
    (await query<{ id: string }>("select id from kyc_records", database)).map(({ id }) => id);
  const kept = new Set(await idsOn(standby));
  return (await idsOn(primary)).filter((id) => !kept.has(id)).length;
}

export const freezes = [
  freeze("the primary freezes until calls fail, and continues after its standby is promoted", 6),
  freeze("the primary pauses while its standby is promoted, and continues", 0),
];
