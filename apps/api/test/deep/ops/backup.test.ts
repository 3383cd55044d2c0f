import { existsSync } from "node:fs";
import { mkdir, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { type Server, startServer } from "@cardbridge/postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { adapt, type PageBlock, pageBlocks } from "../../support/page-blocks.ts";
import { runToEnd } from "../../support/service-process.ts";
import { programPath } from "../machines/programs.ts";
import { makeServerFolder, runProgram, writeServerFile } from "../machines/servers/account.ts";
import { createPostgres } from "../machines/servers/postgres.ts";
import { loadDatabase } from "./backup/load.ts";
import { rowCounts } from "./backup/row-counts.ts";

/** The commands of docs/operate/backup.md, word for word but for their settings and passwords. */

/** The page names this folder of Debian. */
const absent = existsSync("/usr/lib/postgresql/15/bin/postgres")
  ? undefined
  : "not run: no postgresql-15 on this machine";
const page = pageBlocks("docs/operate/backup.md");
const password = "drill";
const today = "2026-11-23";

const closers: (() => Promise<unknown>)[] = [];
let folder: string;
let primary: Awaited<ReturnType<typeof createPostgres>>;
let data: string;
let settings: string;
let bin: string;

/** The blocks of a section, without its settings. */
const blocksOf = (title: string, kind: PageBlock["kind"] = "sh") =>
  (page.get(title) ?? []).filter((block) => block.kind === kind).map(({ code }) => code);

function settingsOf(title: string, values: Record<string, string>): string {
  const [block] = (page.get(title) ?? []).filter(({ kind }) => kind === "settings");
  if (!block) throw new Error(`There are no settings under ${title}.`);
  return adapt(block, values);
}

const urlAt = (port: number, role: string, database = "cardbridge") =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;

/** Runs commands in bash as the account of the servers. psql connects as a superuser. Ends at the first failure. */
async function run(
  code: string,
  { port, secret = password } = { port: primary.port, secret: password },
): Promise<void> {
  const environment = `export PATH="${bin}:$PATH" PGHOST=127.0.0.1 PGPORT=${port} PGUSER=postgres PGPASSWORD=${secret}`;
  await runProgram("bash", ["-euc", [environment, settings, code].join("\n")]);
}

const runSql = (code: string, target?: { port: number; secret: string }) =>
  run(`psql --quiet --set=ON_ERROR_STOP=1 <<'END'\n${code.replaceAll("…", password)}END`, target);

/** Runs the built migration command. */
const migrate = (port: number) =>
  runToEnd("migrate.js", {
    MIGRATION_DATABASE_URL: urlAt(port, "cardbridge_owner"),
    DATABASE_URL: urlAt(port, "cardbridge_app"),
  });

const createRoles = blocksOf("Restore a dump", "sql").join("");

beforeAll(async () => {
  if (absent) return;
  const made = await makeServerFolder();
  folder = made.folder;
  closers.push(made.remove);
  primary = await createPostgres();
  closers.push(() => primary.close());
  data = (await primary.query<{ data_directory: string }>("show data_directory"))[0]?.data_directory ?? "";
  settings = settingsOf("Backup and restore", {
    data,
    backups: join(folder, "backups"),
    files: join(folder, "files"),
    dump_url: urlAt(primary.port, "backup_login"),
    owner_url: urlAt(primary.port, "cardbridge_owner"),
  });
  bin = join(folder, "bin");
  await mkdir(bin);
  await writeServerFile(
    join(bin, "pg_ctlcluster"),
    `#!/bin/sh
# Debian's program of this name only controls clusters of /etc/postgresql.
exec pg_ctl "$3" -w -m fast -D "${data}" -l "${join(folder, "postgres.log")}" \\
  -o "-p ${primary.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=" >/dev/null
`,
  );
  // A day that no run can pass the end of.
  await writeServerFile(join(bin, "date"), `#!/bin/sh\nexec /bin/date --date=${today} "$@"\n`);
  await runProgram("chmod", ["-R", "a+rx", bin]);
  await runProgram("ln", [
    "-s",
    ...["psql", "pg_ctl", "pg_dump", "pg_restore", "pg_basebackup"].map(programPath),
    bin,
  ]);
  // A server that a block started is no child of this process.
  closers.push(() => run("pg_ctlcluster 15 main stop"));
  await runSql(createRoles);
  expect(await migrate(primary.port)).toMatchObject({ code: 0 });
});
beforeEach((context) => {
  if (absent) context.skip(absent);
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

const query = <Row>(statement: string) => primary.query<Row>(statement, "cardbridge");

describe("docs/operate/backup.md", () => {
  it("restores a base backup and the log to a moment", async () => {
    const [archive = "", backUp = ""] = blocksOf("Base backups and the write-ahead log");
    const load = await loadDatabase(
      urlAt(primary.port, "cardbridge_app"),
      urlAt(primary.port, "cardbridge_owner"),
    );
    await load.submit("before the backup");
    await run(archive);
    await run(backUp);
    await load.submit("before the moment");
    await load.checkpoint();
    const [now] = await query<{ at: string }>("select clock_timestamp()::text as at");
    await load.submit("after the moment");
    await load.close();

    const [restore = ""] = blocksOf("Restore to a moment");
    const chosen = { moment: String(now?.at), base: join(folder, "backups", "base", today) };
    await run(settingsOf("Restore to a moment", chosen) + restore);

    const restored = await loadDatabase(urlAt(primary.port, "cardbridge_app"));
    expect(await restored.memberIds()).toEqual({
      "before the backup": true,
      "before the moment": true,
      "after the moment": false,
    });
    await restored.submit("after the restore");
    await restored.checkpoint();
    expect(await restored.verify()).toMatchObject({ pending: 0, problems: [] });
    await restored.close();
  });

  it("deletes old backups, and the log before them", async () => {
    const backups = join(folder, "backups");
    const base = join(backups, "base", "2026-01-01");
    const old = new Date(Date.now() - 40 * 86_400_000);
    await run(
      `cp --archive "${join(backups, "base", today)}" "${base}"; mkdir -p "${backups}/dumps"; : > "${backups}/dumps/old.dump"`,
    );
    await writeServerFile(join(backups, "wal", "000000010000000000000000"), "");
    for (const path of [base, join(backups, "dumps", "old.dump")]) await utimes(path, old, old);
    const before = await readdir(join(backups, "wal"));
    await run(blocksOf("Erased users").join(""));
    expect(await readdir(join(backups, "base"))).toEqual([today]);
    expect(await readdir(join(backups, "dumps"))).toEqual([]);
    const kept = await readdir(join(backups, "wal"));
    expect(kept).not.toContain("000000010000000000000000");
    expect(kept.length).toBeGreaterThan(0);
    expect(before).toEqual(expect.arrayContaining(kept));
  });

  it("makes a dump that is complete, or fails", async () => {
    await runSql(`\\connect cardbridge\n${blocksOf("Dumps", "sql").join("")}`);
    const [dump = ""] = blocksOf("Dumps");
    await expect(run(dump.replace(" --enable-row-security", ""))).rejects.toThrow(
      "query would be affected by row-level security policy",
    );
    await expect(run(dump.replace("$dump_url", "$owner_url"))).rejects.toThrow(
      'permission denied to set role "cardbridge_backup"',
    );
    await query("revoke select on audit_entries_default from cardbridge_backup");
    await expect(run(dump)).rejects.toThrow("permission denied for table audit_entries_default");
    expect(await readdir(join(folder, "backups", "dumps"))).toEqual([`${today}.part`]);
    expect(await migrate(primary.port)).toMatchObject({ code: 0 });
    await run(dump);
    expect(await readdir(join(folder, "backups", "dumps"))).toEqual([`${today}.dump`]);
  });

  describe.each([
    ["PostgreSQL 15", startDebian],
    ["PostgreSQL 18", startNpm],
  ])("a dump of PostgreSQL 15 in %s", (_, start) => {
    const [restore = ""] = blocksOf("Restore a dump");
    const chosen = () =>
      settingsOf("Restore a dump", { dump: join(folder, "backups", "dumps", `${today}.dump`) });
    const at = (port: number) => `owner_url='${urlAt(port, "cardbridge_owner")}'\n`;

    it("is restored completely, and the audit continues", async () => {
      const target = await start();
      await runSql(createRoles, target);
      await run(at(target.port) + chosen() + restore, target);
      expect(await migrate(target.port)).toEqual({
        code: 0,
        output:
          "The audit continues after the transactions of the server that the dump came from.\nThe database is up to date.\n",
      });
      const createLogin = blocksOf("Dumps", "sql").join("").replaceAll("…", password);
      const asOwner = `psql --dbname="$owner_url" --quiet --set=ON_ERROR_STOP=1 <<'END'\n${createLogin}END`;
      await run(at(target.port) + asOwner, target);
      const superuser = urlAt(target.port, "postgres").replace(password, target.secret);
      expect(await rowCounts(superuser)).toEqual(await rowCounts(urlAt(primary.port, "postgres")));
      const restored = await loadDatabase(urlAt(target.port, "cardbridge_app"));
      expect(await restored.database.checkConnection()).toEqual([]);
      await restored.submit("in the new server");
      await restored.checkpoint();
      expect(await restored.verify()).toMatchObject({ pending: 0, problems: [] });
      await restored.close();
    });

    it("is restored not at all before its roles exist, and the migration refuses what remains of it otherwise", async () => {
      const target = await start();
      const [owner = "", app = "", ...groups] = createRoles.split("\n");
      const database = groups.find((line) => line.startsWith("create database")) ?? "";
      await runSql([owner, app, database, ""].join("\n"), target);
      await expect(run(at(target.port) + chosen() + restore, target)).rejects.toThrow(
        /role "cardbridge_(service|backup)" does not exist/,
      );
      expect(await rowCounts(urlAt(target.port, "postgres").replace(password, target.secret))).toEqual({});
      const careless = restore.replace(" --single-transaction --exit-on-error", "");
      await expect(run(at(target.port) + chosen() + careless, target)).rejects.toThrow(
        "errors ignored on restore",
      );
      expect(await migrate(target.port)).toEqual({
        code: 1,
        output: expect.stringContaining("a dump was restored before its roles existed. Drop the database"),
      });
    });
  });

  it("copies the blobs and copies them back", async () => {
    const files = join(folder, "files");
    const month = join(folder, "backups", "files", today.slice(0, 7));
    const names = async (path: string) => (await readdir(path, { recursive: true })).sort();
    await run(`mkdir -p "${files}/ab"; echo one > "${files}/ab/one"`);
    await run(blocksOf("The blobs").join(""));
    await run(`rm "${files}/ab/one"; echo two > "${files}/ab/two"`);
    await run(blocksOf("The blobs").join(""));
    expect(await names(month)).toEqual(["ab", "ab/one", "ab/two"]);
    await rm(files, { recursive: true });
    await run(
      settingsOf("The files and the keys", { copy: month }) + blocksOf("The files and the keys").join(""),
    );
    expect(await names(files)).toEqual(["ab", "ab/one", "ab/two"]);
  });
});

async function startDebian() {
  const server = await createPostgres();
  closers.push(() => server.close());
  return { port: server.port, secret: password };
}

/** The server of the npm package, which is a later version. */
async function startNpm() {
  const made = await makeServerFolder();
  const server: Server = await startServer({ folder: join(made.folder, "npm"), durable: false });
  closers.push(made.remove, server.stop);
  return { port: server.port, secret: server.credentials.postgres };
}
