import { createTestDatabase, prepareTestServer } from "@cardbridge/store/testing";
import { runToEnd } from "../../../support/service-process.ts";
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
    title: "the migration through PgBouncer, and a start that has to be told of it",
    needs: ["postgres", "pgbouncer"],
    short: true,
    async run() {
      const { server } = await startPooled();
      const { ownerUrl, serviceUrl } = await createTestDatabase(server, { empty: true });
      const migration = await runToEnd("migrate.js", {
        MIGRATION_DATABASE_URL: ownerUrl,
        DATABASE_URL: serviceUrl,
      });
      const unset = await runToEnd("main.js", { DATABASE_URL: serviceUrl, PORT: "0", METRICS_PORT: "0" });
      const said = "Set DATABASE_PREPARED_STATEMENTS=false";
      return {
        violations: [
          ...(migration.code === 0 ? [] : [`The migration failed: ${migration.output}`]),
          ...(unset.code === 1 && unset.output.includes(said)
            ? []
            : [`A start without it does not say “${said}”: ${unset.output}`]),
        ],
      };
    },
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
