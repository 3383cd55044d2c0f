import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { readBackups } from "@cardbridge/service";
import { Client } from "pg";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { idleMetrics } from "../../support/metrics.ts";
import { until } from "../../support/until.ts";
import { makeServerFolder, runProgram, writeServerFile } from "../machines/servers/account.ts";
import { runCommand, startCommand } from "./backup/command.ts";
import { loadDatabase } from "./backup/load.ts";
import { blocksOf, migrate, startSource, urlAt } from "./backup/operator.ts";

/** What `ops/backup/cardbridge-backup` makes, what it finds, and what it leaves behind. */

const absent = existsSync("/usr/lib/postgresql/15/bin/postgres")
  ? undefined
  : "not run: no postgresql-15 on this machine";

beforeEach((context) => {
  if (absent) context.skip(absent);
});

const blob = "0123456789abcdef0123456789abcdef";
/** A database with rows that are older than every backup, and the settings to back it up. */
async function startOperation(kind: "dump" | "base" = "dump") {
  const source = await startSource();
  const { server, shell, query } = source;
  const load = await loadDatabase(
    urlAt(server.port, "cardbridge_app"),
    urlAt(server.port, "cardbridge_owner"),
  );
  onTestFinished(load.close);
  await load.submit("before the backup");
  for (const statement of [
    "update users set created_at = created_at - interval '1 hour'",
    "update kyc_records set created_at = created_at - interval '1 hour'",
    "update platforms set created_at = created_at - interval '1 hour'",
    "update audit_entries set at = at - interval '1 hour'",
    // Without the trigger that counts files.
    `set session_replication_role = replica; insert into files (id, platform_id, user_id, purpose, content_type, blob_name, data_key, stored_at)
     select 'file_1', platform_id, id, 'selfie', 'image/png', '${blob}', '\\x00', now() - interval '1 hour' from users`,
  ])
    await query(statement);
  await shell.sql(blocksOf("The command", "sql").join(""));
  if (kind === "base") {
    await shell.run(blocksOf("The write-ahead log").join(""));
    // The page's commands restart the server, which is then no child of this process.
    onTestFinished(() => shell.run("pg_ctlcluster 15 main stop"));
  }
  await runProgram("mkdir", ["-p", shell.backups, shell.files]);
  await writeServerFile(join(shell.files, blob), "encrypted");
  const settings = {
    BACKUP_FOLDER: shell.backups,
    BACKUP_KIND: kind,
    BACKUP_DATABASE_URL: urlAt(server.port, "backup_login"),
    FILES_DIR: shell.files,
  };
  const at = (...path: string[]) => join(shell.backups, ...path);
  const folder = kind === "dump" ? "dumps" : "base";
  const names = async () => (await readdir(at(folder))).filter((name) => /Z(\.dump)?$/.test(name)).sort();
  return {
    ...source,
    settings,
    at,
    make: (more = {}) => runCommand("make", { ...settings, ...more }),
    verify: (more = {}) => runCommand("verify", { ...settings, ...more }),
    /** The backups, without what is beside them. */
    names,
    newest: async () => at(folder, (await names()).at(-1) ?? ""),
    results: () => query("select step, kind, ok from backups order by finished_at"),
    metrics: async () =>
      (await idleMetrics({ backups: () => readBackups(load) }).text()).match(/^cardbridge_backup_.*$/gm) ??
      [],
  };
}

describe.each(["dump", "base"] as const)("a backup of the kind %s", (kind) => {
  it("is made and verified, and the metrics say so", async () => {
    const { make, verify, names, at, query, metrics, results } = await startOperation(kind);
    expect(await metrics()).toEqual([
      'cardbridge_backup_age_seconds{step="made"} Nan',
      'cardbridge_backup_age_seconds{step="verified"} Nan',
      'cardbridge_backup_failed{step="made"} 0',
      'cardbridge_backup_failed{step="verified"} 0',
    ]);
    expect(await make()).toMatchObject({ code: 0, output: expect.stringMatching(/^Made .+\.$/m) });
    const [name = ""] = await names();
    expect(await readdir(at("files", name.slice(0, 7)))).toContain(blob);
    // The log has later files, whose blobs the next copy has.
    await query(`set session_replication_role = replica;
      insert into files (id, platform_id, user_id, purpose, content_type, blob_name, data_key, stored_at)
      select 'file_2', platform_id, user_id, purpose, content_type, 'later', data_key, now() from files`);
    if (kind === "base") await archiveAll(query, at("wal"));
    const { code, output } = await verify();
    const checks = kind === "dump" ? ["checksum", "restore"] : ["files", "log"];
    checks.push("rows", "rows", "rows", "rows", "audit", "blobs");
    expect(output.match(/^(ok|FAILED) +\w+/gm)).toEqual(checks.map((check) => `ok      ${check}`));
    expect(code).toBe(0);
    expect(output).toContain("rows: users has 1 rows of before the backup.");
    expect(await results()).toEqual([
      { step: "made", kind, ok: true },
      { step: "verified", kind, ok: true },
    ]);
    expect(await metrics()).toEqual([
      expect.stringMatching(/^cardbridge_backup_age_seconds\{step="made"\} \d+/),
      expect.stringMatching(/^cardbridge_backup_age_seconds\{step="verified"\} \d+/),
      'cardbridge_backup_failed{step="made"} 0',
      'cardbridge_backup_failed{step="verified"} 0',
    ]);
  });
});

/** Lets the server archive its log up to now. */
async function archiveAll(
  query: (statement: string) => Promise<{ end: string }[]>,
  wal: string,
): Promise<void> {
  await query("create table more (); drop table more");
  const [segment] = await query("select pg_walfile_name(pg_switch_wal()) as end");
  await until(async () => (await readdir(wal)).includes(String(segment?.end)));
}

/** Writes the checksum of a dump, as the command does. */
async function sum(dump: string): Promise<void> {
  const digest = createHash("sha256").update(await readFile(dump));
  await writeFile(`${dump}.sha256`, `${digest.digest("hex")}  ${basename(dump)}\n`);
}

/** Holds a lock of a table, so that a run waits in its midst. */
async function lockTable(url: string, table: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`begin; lock table ${table}`);
  return { release: () => client.query("rollback") };
}

describe("verify finds", () => {
  it.each(["flipped", "truncated"])("a dump that was %s", async (damage) => {
    const { make, verify, newest, results, metrics } = await startOperation();
    await make();
    const dump = await newest();
    if (damage === "flipped") {
      const bytes = await readFile(dump);
      bytes.writeUInt8(bytes.readUInt8(5_000) ^ 1, 5_000);
      await writeFile(dump, bytes);
    } else await truncate(dump, (await stat(dump)).size - 1_000);
    const { code, output } = await verify();
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^FAILED {2}checksum: \S+\.dump is not the file that was made: it is damaged\.\n$/,
      ),
    ]);
    expect(await results()).toMatchObject([
      { step: "made", ok: true },
      { step: "verified", ok: false },
    ]);
    expect((await metrics()).slice(2)).toEqual([
      'cardbridge_backup_failed{step="made"} 0',
      'cardbridge_backup_failed{step="verified"} 1',
    ]);
  });

  it("a dump that was damaged before its checksum", async () => {
    const { make, verify, newest } = await startOperation();
    await make();
    const dump = await newest();
    await truncate(dump, (await stat(dump)).size - 1_000);
    await sum(dump);
    const { code, output } = await verify();
    expect([code, output]).toEqual([1, expect.stringMatching(/^FAILED {2}restore: pg_restore: error: /m)]);
  });

  it("a dump without rows, which its owner made without the role", async () => {
    const { make, verify, newest, server } = await startOperation();
    await make();
    const dump = await newest();
    const owner = urlAt(server.port, "cardbridge_owner");
    await runProgram("pg_dump", [
      `--dbname=${owner}`,
      "--enable-row-security",
      "--format=custom",
      `--file=${dump}`,
    ]);
    await sum(dump);
    const { code, output } = await verify();
    expect([code, output.match(/^FAILED .*$/gm)]).toEqual([
      1,
      expect.arrayContaining([
        "FAILED  rows: users has 0 rows of before the backup, but the database has 1.",
        "FAILED  rows: the backup has no rows. Make it as a member of cardbridge_backup.",
      ]),
    ]);
    expect(output).toContain("ok      restore");
  });

  it("a damaged base backup", async () => {
    const { make, verify, newest } = await startOperation("base");
    await make();
    await appendFile(join(await newest(), "global/pg_control"), "x");
    expect(await verify()).toEqual({
      code: 1,
      output: expect.stringMatching(/^FAILED {2}files: the base backup is damaged: .*pg_control/),
    });
  });

  it("a missing and a damaged segment of the log", async () => {
    const { make, verify, query, at } = await startOperation("base");
    await make();
    for (let count = 0; count < 4; count += 1) await archiveAll(query, at("wal"));
    const segments = (await readdir(at("wal"))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
    const [third = "", last = ""] = segments.slice(-2);
    const path = at("wal", third);
    const bytes = await readFile(path);
    await writeFile(path, Buffer.alloc(bytes.length));
    expect(await verify()).toEqual({
      code: 1,
      output: expect.stringContaining(
        `FAILED  log: it was replayed up to the segment ${third}, which is damaged, but not to ${last}.`,
      ),
    });
    await rm(path);
    expect(await verify()).toEqual({
      code: 1,
      output: expect.stringContaining(`FAILED  log: the segment ${third} is missing in ${at("wal")}`),
    });
    await writeServerFile(path, "");
    await writeFile(path, bytes);
    expect(await verify()).toMatchObject({ code: 0 });
    await rm(at("wal", last));
    expect(await verify()).toEqual({
      code: 1,
      output: expect.stringContaining(`FAILED  log: ${last} is missing in ${at("wal")}.`),
    });
  });

  it("a missing blob, but not that of a file that is deleted since", async () => {
    const { make, verify, query, at } = await startOperation();
    await make();
    const [month = ""] = await readdir(at("files"));
    await rm(at("files", month, blob));
    expect(await verify()).toEqual({
      code: 1,
      output: expect.stringContaining(
        `FAILED  blobs: 1 files lack their blob in ${at("files", month)}, such as ${blob}.`,
      ),
    });
    await query("set session_replication_role = replica; delete from files");
    expect(await verify()).toMatchObject({ code: 0, output: expect.stringContaining("ok      blobs") });
  });
});

describe("make", () => {
  it("fails as no member of the role, and at a table that the role cannot read, and leaves no backup", async () => {
    const { server, make, query, names, results } = await startOperation();
    await query("revoke cardbridge_backup from backup_login");
    expect(await make()).toEqual({
      code: 1,
      output: expect.stringContaining('permission denied to set role "cardbridge_backup"'),
    });
    await query("grant cardbridge_backup to backup_login");
    await query("revoke select on audit_entries_default from cardbridge_backup");
    expect(await make()).toEqual({
      code: 1,
      output: expect.stringContaining("permission denied for table audit_entries_default"),
    });
    expect(await names()).toEqual([]);
    expect(await results()).toEqual([{ step: "made", kind: "dump", ok: false }]);
    expect(await migrate(server)).toMatchObject({ code: 0 });
    expect(await make()).toMatchObject({ code: 0 });
  });

  it("fails while the server does not archive its log", async () => {
    const { shell, make, query, results } = await startOperation("base");
    await query("alter system set archive_command = 'false'");
    await query("select pg_reload_conf(), pg_switch_wal()");
    // Without the wait of a minute.
    await writeServerFile(join(shell.bin, "sleep"), "#!/bin/sh\n");
    await runProgram("chmod", ["a+rx", join(shell.bin, "sleep")]);
    expect(await make({ PATH: `${shell.bin}:${process.env.PATH}` })).toEqual({
      code: 1,
      output: expect.stringContaining("The server does not archive its log"),
    });
    expect(await results()).toEqual([{ step: "made", kind: "base", ok: false }]);
  });

  it.each(["SIGKILL", "SIGTERM"] as const)(
    "that ends by %s leaves no backup, and the next one removes its rest",
    async (signal) => {
      const { server, settings, make, verify, names, at, results } = await startOperation();
      const lock = await lockTable(urlAt(server.port, "postgres"), "users");
      const interrupted = startCommand("make", settings);
      await until(async () => (await readdir(at("dumps")).catch(() => [])).length > 0);
      if (signal === "SIGKILL") await interrupted.kill();
      else interrupted.child.kill(signal);
      await interrupted.ended;
      expect(await names()).toEqual([]);
      if (signal === "SIGTERM") {
        expect(interrupted.output()).toBe("cardbridge-backup: It was interrupted.\n");
        expect(await results()).toMatchObject([{ ok: false }]);
      }
      expect(await verify()).toEqual({
        code: 1,
        output: expect.stringContaining("There is no backup of the kind dump"),
      });
      await lock.release();
      expect(await make()).toMatchObject({ code: 0 });
      const [name] = await names();
      expect((await readdir(at("dumps"))).sort()).toEqual([name, `${name}.sha256`]);
      expect((await readdir(at(""))).sort()).toEqual([".lock", "dumps", "files"]);
    },
  );

  it("waits for another run", async () => {
    const { server, settings, at } = await startOperation();
    const lock = await lockTable(urlAt(server.port, "postgres"), "users");
    const first = startCommand("make", settings);
    await until(async () => (await readdir(at("dumps")).catch(() => [])).length > 0);
    const second = startCommand("verify", settings);
    await until(async () =>
      second.output().includes(`Another run uses ${at("").replace(/\/$/, "")}: this one waits for its end.`),
    );
    await lock.release();
    await Promise.all([first.ended, second.ended]);
    expect([first.child.exitCode, second.child.exitCode]).toEqual([0, 0]);
  });

  it.each(["dump", "base"] as const)(
    "deletes old backups of the kind %s, but not the last one that was verified",
    async (kind) => {
      const { make, verify, names, newest, at } = await startOperation(kind);
      await make();
      await verify();
      const verified = await newest();
      const old = new Date(Date.now() - 40 * 86_400_000);
      const [folder, end] = kind === "dump" ? ["dumps", ".dump"] : ["base", ""];
      const never = at(folder, `2026-01-01T030000Z${end}`);
      await runProgram("cp", ["--archive", verified, never]);
      await runProgram("mkdir", ["-p", at("files", "2026-01"), at("wal")]);
      await writeServerFile(at("wal", "000000010000000000000000"), "");
      for (const path of [verified, never]) await utimes(path, old, old);
      expect(await make({ BACKUP_KEEP_DAYS: "39" })).toMatchObject({ code: 0 });
      const kept = await names();
      expect(kept).toHaveLength(2);
      expect(verified).toContain(kept[0]);
      expect(await readdir(at("files"))).toEqual([kept[0]?.slice(0, 7)]);
      if (kind === "base") expect(await readdir(at("wal"))).not.toContain("000000010000000000000000");
    },
  );

  it("copies a blob once, and keeps those that the service deleted", async () => {
    const { shell, make, at } = await startOperation();
    await make();
    await rm(join(shell.files, blob));
    await writeServerFile(join(shell.files, "another"), "encrypted");
    await make();
    const [month = ""] = await readdir(at("files"));
    expect((await readdir(at("files", month))).sort()).toEqual([blob, "another"]);
  });
});

it("verify that is ended by SIGTERM leaves no server and no folder", async () => {
  const { server, settings, make, at, results } = await startOperation();
  await make();
  const lock = await lockTable(urlAt(server.port, "postgres"), "users");
  const interrupted = startCommand("verify", settings);
  await until(async () => interrupted.output().includes("ok      restore"));
  const scratch = at("scratch", "data");
  expect(await serversOf(scratch)).toHaveLength(1);
  interrupted.child.kill("SIGTERM");
  await interrupted.ended;
  expect(interrupted.child.exitCode).toBe(1);
  expect(await serversOf(scratch)).toEqual([]);
  expect(await readdir(at(""))).not.toContain("scratch");
  await lock.release();
  expect(await results()).toMatchObject([{ step: "made" }, { step: "verified", ok: false }]);
});

/** The processes that were started with a folder. */
async function serversOf(folder: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.split("\0").includes(folder));
}

it("a password with special characters works, from a file, and no output has it", async () => {
  const { server, settings, make, at, query } = await startOperation();
  const secret = "a@b:c/d%e";
  await query(`alter role backup_login password '${secret}'`);
  const url = (password: string, host = `127.0.0.1:${server.port}`) =>
    `postgres://backup_login:${encodeURIComponent(password)}@${host}/cardbridge?sslmode=disable`;
  await writeServerFile(at("url"), `${url(secret)}\n`);
  expect(await make({ BACKUP_DATABASE_URL: "", BACKUP_DATABASE_URL_FILE: at("url") })).toMatchObject({
    code: 0,
  });
  const unencoded = url("a-secret").replace("a-", "a/");
  for (const wrong of [
    unencoded,
    url("a-secret"),
    url("a-secret", "[::1"),
    url("a-secret").replace("a-", "%zz"),
  ]) {
    const { code, output } = await runCommand("make", { ...settings, BACKUP_DATABASE_URL: wrong });
    expect([code, output]).toEqual([1, expect.stringMatching(/^cardbridge-backup: .+\n$/)]);
    expect(output).not.toContain("secret");
  }
});

it.each([
  [{ BACKUP_FOLDER: "" }, "BACKUP_FOLDER is missing: set it to the folder of the backups."],
  [{ BACKUP_FOLDER: "/nowhere" }, "BACKUP_FOLDER is no folder that this account can write to: create it."],
  [{ BACKUP_KIND: "copy" }, "BACKUP_KIND is neither dump nor base."],
  [{ BACKUP_KEEP_DAYS: "a month" }, "BACKUP_KEEP_DAYS is not a number of days."],
  [{ BACKUP_DATABASE_URL: "" }, "BACKUP_DATABASE_URL is missing: set it, or BACKUP_DATABASE_URL_FILE."],
  [{ BACKUP_DATABASE_URL: "db" }, "BACKUP_DATABASE_URL does not begin with postgres://."],
  [
    { BACKUP_DATABASE_URL_FILE: "/nowhere" },
    "BACKUP_DATABASE_URL_FILE names no file that this account can read.",
  ],
  [{ FILES_DIR: "/nowhere" }, "FILES_DIR is no folder: remove the setting if the service uses a bucket."],
])("the settings %o are refused", async (wrong, message) => {
  const settings = { BACKUP_FOLDER: await makeServerFolder(), BACKUP_DATABASE_URL: "postgres://nowhere/db" };
  expect(await runCommand("make", { ...settings, ...wrong })).toEqual({
    code: 1,
    output: `cardbridge-backup: ${message}\n`,
  });
});

it("a missing program is named", async () => {
  const bin = await makeServerFolder();
  await runProgram("ln", ["-s", "/usr/bin/id", bin]);
  const settings = { BACKUP_FOLDER: bin, BACKUP_DATABASE_URL: "postgres://nowhere/db", PATH: bin };
  expect(await runCommand("make", settings)).toEqual({
    code: 1,
    output: "cardbridge-backup: There is no flock: install postgresql and util-linux.\n",
  });
});
