import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { runToEnd } from "../../../support/service-process.ts";
import { programPath } from "../../machines/programs.ts";
import { makeServerFolder, runProgram, writeServerFile } from "../../machines/servers/account.ts";
import { createPostgres } from "../../machines/servers/postgres.ts";
import { adapt, type PageBlock, pageBlocks } from "./page-blocks.ts";

const page = pageBlocks("docs/operate/backup.md");
const password = "drill";

/** A server, and the password of its superuser. */
export interface Target {
  port: number;
  secret: string;
}

/** The blocks of a section, without its settings. SQL has the password in place of `…`. */
export const blocksOf = (title: string, kind: PageBlock["kind"] = "sh") =>
  (page.get(title) ?? [])
    .filter((block) => block.kind === kind)
    .map(({ code }) => code.replaceAll("…", password));

/** The settings of a section, with other values. */
export function settingsOf(title: string, values: Record<string, string>): string {
  const [block] = (page.get(title) ?? []).filter(({ kind }) => kind === "settings");
  if (!block) throw new Error(`There are no settings under ${title}.`);
  return adapt(block, values);
}

export const urlAt = (port: number, role: string, secret = password) =>
  `postgres://${role}:${secret}@127.0.0.1:${port}/cardbridge?sslmode=disable`;

/** Starts a server of PostgreSQL 15, for a test. */
export async function startDebian() {
  return { ...(await createPostgres()), secret: password };
}

/** Runs the built migration command. */
export const migrate = ({ port }: Target) =>
  runToEnd("migrate.js", {
    MIGRATION_DATABASE_URL: urlAt(port, "cardbridge_owner"),
    DATABASE_URL: urlAt(port, "cardbridge_app"),
  });

/** A shell with the page's settings, run by the account of the servers. It ends at the first failure. */
export async function startShell(source: Target, data = "") {
  const folder = await makeServerFolder();
  const [bin, backups, files] = [join(folder, "bin"), join(folder, "backups"), join(folder, "files")];
  await mkdir(bin);
  const names = ["psql", "pg_ctl", "pg_restore"];
  await runProgram("ln", ["-s", ...names.map(programPath), bin]);
  // Debian's program of this name only controls clusters of /etc/postgresql.
  const options = `-p ${source.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
  const control = `exec pg_ctl "$3" -w -m fast -D "${data}" -l "${join(folder, "log")}" -o "${options}" >/dev/null`;
  await writeServerFile(join(bin, "pg_ctlcluster"), `#!/bin/sh\n${control}\n`);
  await runProgram("chmod", ["-R", "a+rx", bin]);

  async function run(code: string, target: Target = source): Promise<void> {
    const settings = settingsOf("The write-ahead log", {
      data,
      backups,
      files,
      owner_url: urlAt(target.port, "cardbridge_owner"),
    });
    const connection = `PGHOST=127.0.0.1 PGPORT=${target.port} PGUSER=postgres PGPASSWORD=${target.secret}`;
    const environment = `export PATH="${bin}:$PATH" ${connection}`;
    await runProgram("bash", ["-euc", [environment, settings, code].join("\n")]);
  }

  return {
    bin,
    backups,
    files,
    run,
    /** Runs SQL as a superuser, or as the owner in its database. */
    sql: (code: string, target: Target = source, as: "superuser" | "owner" = "superuser") =>
      run(
        `psql ${as === "owner" ? '--dbname="$owner_url"' : ""} --quiet --set=ON_ERROR_STOP=1 <<'END'\n${code}END`,
        target,
      ),
  };
}

/** A migrated database in a server of PostgreSQL 15, and a shell beside it. */
export async function startSource() {
  const server = await startDebian();
  const [directory] = await server.query<{ data: string }>(
    "select setting as data from pg_settings where name = 'data_directory'",
  );
  const shell = await startShell(server, directory?.data);
  await shell.sql(blocksOf("Restore a dump", "sql").join(""));
  const { code, output } = await migrate(server);
  if (code !== 0) throw new Error(output);
  const query = <Row>(statement: string) => server.query<Row>(statement, "cardbridge");
  return { server, shell, query };
}
