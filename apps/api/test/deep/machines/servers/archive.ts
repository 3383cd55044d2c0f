import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../../support/until.ts";
import { makeServerFolder, runProgram, writeServerFile } from "./account.ts";
import { backUp, createPostgres, type PostgresServer } from "./postgres.ts";

/** A backup of a server and its archived log, which survive the loss of the server. */
export type Archive = Awaited<ReturnType<typeof startArchive>>;

/** Makes a server archive its log. It restarts for that. */
export async function startArchive(server: PostgresServer) {
  const folder = await makeServerFolder();
  const [log, base] = [join(folder, "log"), join(folder, "base")];
  await runProgram("mkdir", [log]);
  await server.configure("archive_mode", "on");
  await server.configure("archive_command", `cp %p ${log}/%f`);
  await server.stop("fast");
  await server.start();

  return {
    backUp: () => backUp(server, base),
    /** A moment of the server's clock that a restore can reach. */
    async moment(): Promise<string> {
      const [row] = await server.query<{ now: string }>("select clock_timestamp()::text as now");
      // A restore stops at the first transaction after the moment.
      await server.query("create table if not exists after_the_moment ()");
      const [ended] = await server.query<{ file: string }>("select pg_walfile_name(pg_switch_wal()) as file");
      await until(async () => {
        const query = `select from pg_stat_archiver where last_archived_wal >= '${ended?.file}'`;
        return (await server.query(query)).length > 0;
      });
      return String(row?.now);
    },
    /** Starts a new server with the data of the lost one at a moment. */
    restoreTo: (moment: string): Promise<PostgresServer> =>
      createPostgres({
        async restore(data) {
          await runProgram("cp", ["--archive", base, data]);
          await appendFile(
            join(data, "postgresql.auto.conf"),
            [
              `restore_command = 'cp ${log}/%f %p'`,
              `recovery_target_time = '${moment}'`,
              "recovery_target_action = 'promote'",
              "archive_mode = 'off'",
              "",
            ].join("\n"),
          );
          await writeServerFile(join(data, "recovery.signal"), "");
        },
      }),
  };
}
