import { existsSync } from "node:fs";
import { readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { version } from "@cardbridge/node";
import { startServer } from "@cardbridge/postgres";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeServerFolder, writeServerFile } from "../machines/servers/account.ts";
import { loadDatabase } from "./backup/load.ts";
import {
  blocksOf,
  migrate,
  settingsOf,
  startDebian,
  startShell,
  startSource,
  type Target,
  today,
  urlAt,
} from "./backup/operator.ts";
import { rowCounts } from "./backup/row-counts.ts";

/** The commands of docs/operate/backup.md, word for word but for their settings and passwords. */

/** The page names this folder of Debian. */
const absent = existsSync("/usr/lib/postgresql/15/bin/postgres")
  ? undefined
  : "not run: no postgresql-15 on this machine";

beforeEach((context) => {
  if (absent) context.skip(absent);
});

const createRoles = blocksOf("Restore a dump", "sql").join("");
const createLogin = blocksOf("Dumps", "sql").join("");
const [archive = "", backUp = ""] = blocksOf("Base backups and the write-ahead log");
const [dump = ""] = blocksOf("Dumps");
const [restore = ""] = blocksOf("Restore a dump");

/** Starts a server of the npm package, which is a later version. */
async function startNpm(): Promise<Target> {
  const server = await startServer({ folder: join(await makeServerFolder(), "npm"), durable: false });
  onTestFinished(server.stop);
  return { port: server.port, secret: server.credentials.postgres };
}

it("a base backup and the log are restored to a moment, and old ones are deleted", async () => {
  const { server, shell, query } = await startSource();
  // The page's commands restart the server, which is then no child of this process.
  onTestFinished(() => shell.run("pg_ctlcluster 15 main stop"));
  const load = await loadDatabase(
    urlAt(server.port, "cardbridge_app"),
    urlAt(server.port, "cardbridge_owner"),
  );
  await load.submit("before the backup");
  await shell.run(archive);
  await shell.run(backUp);
  const at = (name: string) => join(shell.backups, name);
  const [base, wal, dumps] = [at("base"), at("wal"), at("dumps")];
  await shell.run(
    `cp --archive "${base}/${today}" "${base}/2026-01-01"; mkdir "${dumps}"; : > "${dumps}/old.dump"`,
  );
  await writeServerFile(join(wal, "000000010000000000000000"), "");
  const old = new Date(Date.now() - 40 * 86_400_000);
  for (const path of [join(base, "2026-01-01"), join(dumps, "old.dump")]) await utimes(path, old, old);
  await shell.run(blocksOf("Erased users").join(""));
  expect(await readdir(base)).toEqual([today]);
  expect(await readdir(dumps)).toEqual([]);
  const kept = await readdir(wal);
  expect(kept.length).toBeGreaterThan(0);
  expect(kept).not.toContain("000000010000000000000000");
  await load.submit("before the moment");
  await load.checkpoint();
  const [now] = await query<{ at: string }>("select clock_timestamp()::text as at");
  await load.submit("after the moment");
  await load.close();

  const chosen = { moment: String(now?.at), base: join(shell.backups, "base", today) };
  await shell.run(settingsOf("Restore to a moment", chosen) + blocksOf("Restore to a moment").join(""));

  const restored = await loadDatabase(urlAt(server.port, "cardbridge_app"));
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

it("a dump is complete, or fails", async () => {
  const { server, shell, query } = await startSource();
  await shell.sql(createLogin);
  await expect(shell.run(dump.replace(" --enable-row-security", ""))).rejects.toThrow(
    "query would be affected by row-level security policy",
  );
  await expect(shell.run(dump.replace("$dump_url", "$owner_url"))).rejects.toThrow(
    'permission denied to set role "cardbridge_backup"',
  );
  await query("revoke select on audit_entries_default from cardbridge_backup");
  await expect(shell.run(dump)).rejects.toThrow("permission denied for table audit_entries_default");
  expect(await readdir(join(shell.backups, "dumps"))).toEqual([`${today}.part`]);
  expect(await migrate(server)).toMatchObject({ code: 0 });
  await shell.run(dump);
  expect(await readdir(join(shell.backups, "dumps"))).toEqual([`${today}.dump`]);
});

describe("a dump of PostgreSQL 15", () => {
  /** A dump with rows of a platform. */
  async function makeDump() {
    const { server, shell } = await startSource();
    const load = await loadDatabase(
      urlAt(server.port, "cardbridge_app"),
      urlAt(server.port, "cardbridge_owner"),
    );
    for (let number = 0; number < 100; number += 1) await load.submit(`user ${number}`);
    await load.checkpoint();
    await load.submit("without a checkpoint");
    await load.close();
    await shell.sql(createLogin);
    await shell.run(dump);
    const chosen = settingsOf("Restore a dump", { dump: join(shell.backups, "dumps", `${today}.dump`) });
    return { server, shell, chosen };
  }

  it("is restored completely in PostgreSQL 18, and the audit continues", async () => {
    const { server, shell, chosen } = await makeDump();
    const target = await startNpm();
    await shell.sql(createRoles, target);
    await shell.run(chosen + restore, target);
    expect(await migrate(target)).toEqual({
      code: 0,
      output:
        "The audit continues after the transactions of the server that the dump came from.\n" +
        `The database is up to date with version ${version}.\n`,
    });
    await shell.sql(createLogin, target, "owner");
    expect(await rowCounts(urlAt(target.port, "postgres", target.secret))).toEqual(
      await rowCounts(urlAt(server.port, "postgres")),
    );
    const restored = await loadDatabase(urlAt(target.port, "cardbridge_app"));
    expect(await restored.database.checkConnection()).toEqual([]);
    await restored.submit("in the new server");
    await restored.checkpoint();
    expect(await restored.verify()).toMatchObject({ pending: 0, problems: [] });
    await restored.close();
  });

  it("is not restored before its roles exist, and the migration refuses what would remain of it", async () => {
    const { shell, chosen } = await makeDump();
    const target = await startDebian();
    const lines = createRoles
      .split("\n")
      .filter((line) => !/^(?:set|reset|create role .*(?:service|backup|operators))/.test(line));
    await shell.sql(lines.join("\n"), target);
    await expect(shell.run(chosen + restore, target)).rejects.toThrow(
      /role "cardbridge_(service|backup|operators)" does not exist/,
    );
    expect(await rowCounts(urlAt(target.port, "postgres", target.secret))).toEqual({});
    const careless = restore.replace(" --single-transaction --exit-on-error", "");
    await expect(shell.run(chosen + careless, target)).rejects.toThrow("errors ignored on restore");
    expect(await migrate(target)).toEqual({
      code: 1,
      output: expect.stringContaining("a dump was restored before its roles existed. Drop the database"),
    });
  });
});

it("the blobs are copied, and copied back", async () => {
  const { backups, files, run } = await startShell({ port: 0, secret: "" });
  const month = join(backups, "files", today.slice(0, 7));
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
