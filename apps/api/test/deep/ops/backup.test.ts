import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { version } from "@cardbridge/node";
import { startServer } from "@cardbridge/postgres";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makeServerFolder, runProgram, writeServerFile } from "../machines/servers/account.ts";
import { runCommand } from "./backup/command.ts";
import { loadDatabase } from "./backup/load.ts";
import {
  blocksOf,
  migrate,
  settingsOf,
  startDebian,
  startSource,
  type Target,
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
const createLogin = blocksOf("The command", "sql").join("");
const [archive = ""] = blocksOf("The write-ahead log");
const [restore = ""] = blocksOf("Restore a dump");

/** Makes a backup with the command, and returns its path. */
async function make(
  kind: "dump" | "base",
  port: number,
  { backups, files }: { backups: string; files?: string },
) {
  const { code, output } = await runCommand("make", {
    BACKUP_FOLDER: backups,
    BACKUP_KIND: kind,
    BACKUP_DATABASE_URL: urlAt(port, "backup_login"),
    ...(files ? { FILES_DIR: files } : {}),
  });
  const [, path] = /^Made (.*)\.$/m.exec(output) ?? [];
  if (code !== 0 || !path) throw new Error(output);
  return path;
}

/** Starts a server of the npm package, which is a later version. */
async function startNpm(): Promise<Target> {
  const server = await startServer({ folder: join(await makeServerFolder(), "npm"), durable: false });
  onTestFinished(server.stop);
  return { port: server.port, secret: server.credentials.postgres };
}

it("a base backup and the log are restored to a moment", async () => {
  const { server, shell, query } = await startSource();
  // The page's commands restart the server, which is then no child of this process.
  onTestFinished(() => shell.run("pg_ctlcluster 15 main stop"));
  const load = await loadDatabase(
    urlAt(server.port, "cardbridge_app"),
    urlAt(server.port, "cardbridge_owner"),
  );
  await load.submit("before the backup");
  await shell.sql(createLogin);
  await shell.run(archive);
  const base = await make("base", server.port, { backups: shell.backups });
  await load.submit("before the moment");
  await load.checkpoint();
  const [now] = await query<{ at: string }>("select clock_timestamp()::text as at");
  await load.submit("after the moment");
  await load.close();

  const chosen = { moment: String(now?.at), base };
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
    await runProgram("mkdir", [shell.backups]);
    const chosen = settingsOf("Restore a dump", {
      dump: await make("dump", server.port, { backups: shell.backups }),
    });
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
    expect(await rowCounts(urlAt(target.port, "postgres", target.secret))).toEqual({
      ...(await rowCounts(urlAt(server.port, "postgres"))),
      // Its result was recorded after it.
      backups: 0,
    });
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

it("the blobs of a backup are copied back", async () => {
  const { server, shell } = await startSource();
  await shell.sql(createLogin);
  await runProgram("mkdir", [shell.backups, shell.files]);
  for (const name of ["one", "two"]) await writeServerFile(join(shell.files, name), name);
  await make("dump", server.port, { backups: shell.backups, files: shell.files });
  await rm(shell.files, { recursive: true });
  const [month = ""] = await readdir(join(shell.backups, "files"));
  await shell.run(
    settingsOf("The files and the keys", { copy: join(shell.backups, "files", month) }) +
      blocksOf("The files and the keys").join(""),
  );
  expect((await readdir(shell.files)).sort()).toEqual(["one", "two"]);
});
