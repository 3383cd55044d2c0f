import { prepareTestServer } from "@cardbridge/service/database/testing";
import { type Drill, drillUnderLoad } from "../drill.ts";
import { type Pooler, startPooler } from "../servers/pooler.ts";
import { createPostgres, serverAt } from "../servers/postgres.ts";
import { storeTests } from "../store-tests.ts";

/** The calls that fail while PgBouncer is down. */
const outage = 12;

/** Starts a server behind PgBouncer. */
async function startPooled(): Promise<Pooler> {
  const server = serverAt((await createPostgres()).port);
  await prepareTestServer(server);
  return startPooler(server);
}

export const pgbouncer: Drill[] = [
  {
    title: "the store's tests through PgBouncer",
    needs: ["postgres", "pgbouncer"],
    run: async () => storeTests((await startPooled()).server),
  },
  {
    title: "PgBouncer is killed under load",
    needs: ["postgres", "pgbouncer"],
    short: true,
    async run(size) {
      const pooler = await startPooled();
      return drillUnderLoad(pooler.server, async ({ load }) => {
        await load.succeeded(size);
        await pooler.kill();
        await load.failed(outage);
        await pooler.start();
        await load.succeeded(size);
        return undefined;
      });
    },
  },
];
