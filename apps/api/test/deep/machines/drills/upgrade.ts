import { prepareTestServer } from "@cardbridge/service/database/testing";
import { runToEnd } from "../../../support/service-process.ts";
import { until } from "../../../support/until.ts";
import { type Drill, drillUnderLoad, type World } from "../drill.ts";
import { buildLastRelease } from "../old-build.ts";
import { createPostgres, serverAt } from "../servers/postgres.ts";

/** How long a transaction reads the table of users while the database is migrated. */
const readerMs = 10_000;

/** Migrates a database with the programs of a build. Returns the lines that they printed. */
async function migrateWith(
  folder: string | undefined,
  { ownerUrl, serviceUrl }: { ownerUrl: string; serviceUrl: string },
): Promise<string> {
  const env = { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: serviceUrl };
  const { code, output } = await runToEnd("migrate.js", env, { folder });
  if (code !== 0) throw new Error(`The migration failed: ${output}`);
  return output;
}

/** Starts processes of a build, then stops the current ones. */
async function replace(
  { apis, load, start }: World,
  folder: string | undefined,
  size: number,
): Promise<void> {
  const old = [...apis];
  const added = [await start({ folder }), await start({ folder, run: "all" })];
  apis.push(...added);
  await load.succeeded(size);
  apis.splice(0, apis.length, ...added);
  for (const api of old) await api.end("SIGTERM");
  await load.succeeded(size);
}

/** The last release and this version serve on one database, which this version migrates; then the release returns. */
export const upgrade: Drill = {
  title: "the last release and this version on one database, forwards and back",
  needs: ["postgres"],
  async run(size) {
    const old = await buildLastRelease();
    if (typeof old === "string") return old;
    const { version, folder } = old;
    const server = await createPostgres();
    await prepareTestServer(serverAt(server.port), async (urls) => {
      await migrateWith(folder, urls);
    });
    return drillUnderLoad(
      serverAt(server.port),
      async (world) => {
        const { cluster, load } = world;
        await load.succeeded(size);
        const database = new URL(cluster.databaseUrl).pathname.slice(1);
        const reader = server.query(
          `begin; select count(*) from users; select pg_sleep(${readerMs / 1_000}); commit`,
          database,
        );
        const reading =
          "select from pg_stat_activity where query like '%pg_sleep(%' and pid <> pg_backend_pid()";
        await until(async () => (await server.query(reading)).length > 0);
        const output = await migrateWith(undefined, {
          ownerUrl: cluster.ownerUrl,
          serviceUrl: cluster.databaseUrl,
        });
        await reader;
        await load.succeeded(size);
        await replace(world, undefined, size);
        // The worker fills what the release does not know, while the load goes on.
        const approved = "select document_expiry as expiry from kyc_records where status = 'APPROVED'";
        const released = await cluster.query(approved);
        await until(
          async () => (await cluster.query(`${approved} and document_check_at = 'epoch'`)).length === 0,
        );
        const states = new Set(
          (await cluster.query<{ expiry: string | null }>(approved)).map(({ expiry }) => expiry),
        );
        if (released.length === 0 || states.has(null))
          throw new Error("A document of an approval has no state.");
        await replace(world, folder, size);
        const count = (pattern: RegExp) => output.match(pattern)?.length ?? 0;
        return {
          note: `from ${version}: ${count(/ is done\./g)} migrations, which waited ${count(/ waits for /g)} times`,
        };
      },
      { each: { folder } },
    );
  },
};
