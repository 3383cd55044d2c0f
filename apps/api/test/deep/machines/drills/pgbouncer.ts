import { createTestDatabase, prepareTestServer } from "@cardbridge/store/testing";
import { runToEnd } from "../../../support/service-process.ts";
import { type Drill, drillUnderLoad, type Outcome } from "../drill.ts";
import { type Pooler, startPooler } from "../servers/pooler.ts";
import { createPostgres, serverAt } from "../servers/postgres.ts";
import { storeTests } from "../store-tests.ts";
import { tourOn } from "../tour.ts";

/** The calls that fail while PgBouncer is down. */
const outage = 12;

/** Runs a drill on a server behind PgBouncer. */
async function withPooler(run: (pooler: Pooler) => Promise<Outcome>): Promise<Outcome> {
  const postgres = await createPostgres();
  try {
    const server = serverAt(postgres.port);
    await prepareTestServer(server);
    const pooler = await startPooler(server);
    try {
      return await run(pooler);
    } finally {
      await pooler.kill();
    }
  } finally {
    await postgres.close();
  }
}

/** Without prepared statements, as PgBouncer before 1.21 needs it. */
const env = { DATABASE_PREPARED_STATEMENTS: "false" };

export const pgbouncer: Drill[] = [
  {
    title: "the store's tests through PgBouncer",
    needs: ["postgres", "pgbouncer"],
    run: () => withPooler(({ server }) => storeTests(server)),
  },
  {
    title: "the migration and the tour of the README through PgBouncer",
    needs: ["postgres", "pgbouncer"],
    short: true,
    run: () =>
      withPooler(async ({ server }) => {
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
            ...(await tourOn({ ownerUrl, serviceUrl }, env)),
          ],
        };
      }),
  },
  {
    title: "PgBouncer is killed under load",
    needs: ["postgres", "pgbouncer"],
    run: (size) =>
      withPooler((pooler) =>
        drillUnderLoad(pooler.server, async ({ load }) => {
          await load.succeeded(size);
          await pooler.kill();
          await load.failed(outage);
          await pooler.start();
          await load.succeeded(size);
          return undefined;
        }),
      ),
  },
];
