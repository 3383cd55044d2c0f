import { spawn } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { findEmbedded, startEmbedded } from "../../src/index.ts";
import { kill, readNotes, run, test, writeNote } from "./data-folder.ts";

describe.concurrent("the embedded server", () => {
  test("starts, accepts connections, stops, and keeps its data", async ({ folder }) => {
    const progress: string[] = [];
    const first = await folder.start((sentence) => progress.push(sentence));
    expect(first.fresh).toBe(true);
    expect(progress).toEqual([expect.stringContaining("new database"), "Starting PostgreSQL."]);
    expect(await run(first.serviceUrl, "select current_user as role")).toEqual([{ role: "cardbridge_app" }]);
    await writeNote(first.ownerUrl);
    await first.stop();
    await expect(readFile(folder.pidFile)).rejects.toMatchObject({ code: "ENOENT" });

    const second = await folder.start();
    expect(second.fresh).toBe(false);
    expect(await readNotes(second.ownerUrl)).toEqual([{ text: "kept" }]);
  });

  test("is durable, listens on 127.0.0.1 only, and protects its passwords", async ({ folder }) => {
    const { ownerUrl } = await folder.start();
    const settings = `select current_setting('fsync') as fsync,
      current_setting('listen_addresses') as listen, current_setting('server_encoding') as encoding`;
    expect(await run(ownerUrl, settings)).toEqual([{ fsync: "on", listen: "127.0.0.1", encoding: "UTF8" }]);
    for (const name of ["credentials.json", "postgres.log"]) {
      expect((await stat(join(folder.path, name))).mode & 0o777).toBe(0o600);
    }
    const url = new URL(ownerUrl);
    url.password = "guessed";
    await expect(run(url.href, "select")).rejects.toMatchObject({ code: "28P01" });
  });

  test("logs no values of rows or statements", async ({ used: folder }) => {
    const { ownerUrl } = await folder.start();
    await run(ownerUrl, "create table people (name text primary key); insert into people values ('Ada')");
    await expect(run(ownerUrl, "insert into people values ('Ada')")).rejects.toMatchObject({ code: "23505" });
    const log = await readFile(join(folder.path, "postgres.log"), "utf8");
    expect(log).toContain("people_pkey");
    expect(log).not.toContain("Ada");
  });

  test("reports the end of its log when it cannot start", async ({ used: folder }) => {
    const { stop } = await folder.start();
    await stop();
    await appendFile(join(folder.path, "postgres", "postgresql.conf"), "\nnonsense_setting = 1\n");
    await expect(startEmbedded({ folder: folder.path })).rejects.toThrow("nonsense_setting");
    await expect(readFile(folder.pidFile)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is found by another process while it runs, not by the file that a killed server left", async ({
    used: folder,
  }) => {
    expect(await findEmbedded(folder.path)).toBeNull();
    const { serviceUrl, stop } = await folder.start();
    expect(await findEmbedded(folder.path)).toBe(serviceUrl);
    const left = await readFile(folder.pidFile, "utf8");
    await stop();
    expect(await findEmbedded(folder.path)).toBeNull();
    await writeFile(folder.pidFile, left);
    expect(await findEmbedded(folder.path)).toBeNull();
    expect(await readFile(folder.pidFile, "utf8")).toBe(left);
  });

  test("does not open a database without its passwords", async ({ used: folder }) => {
    const { stop } = await folder.start();
    await stop();
    await rm(join(folder.path, "credentials.json"));
    await expect(startEmbedded({ folder: folder.path })).rejects.toThrow("credentials.json is missing");
  });
});

describe.concurrent("after a process was killed", () => {
  test("the draft of an interrupted first start is removed", async ({ folder }) => {
    const draft = join(folder.path, "initialising-abc", "postgres");
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, "PG_VERSION"), "18\n");
    expect((await folder.start()).fresh).toBe(true);
    expect(await readdir(folder.path)).not.toContain("initialising-abc");
  });

  test.for([
    { what: "the process that started the server was killed", withServer: false },
    { what: "the server and its process were killed together", withServer: true },
  ])("a start succeeds immediately after $what", async ({ withServer }, { used: folder }) => {
    const { child, ownerUrl } = await folder.startElsewhere();
    await writeNote(ownerUrl);
    if (withServer) process.kill(await folder.serverPid(), "SIGKILL");
    await kill(child);
    const again = await folder.start();
    expect(await readNotes(again.ownerUrl)).toEqual([{ text: "kept" }]);
  });

  test("a server that outlived its process is reused, and then stopped", async ({ used: folder }) => {
    const { child, ownerUrl } = await folder.startElsewhere({ survives: true });
    await writeNote(ownerUrl);
    const pid = await folder.serverPid();
    await kill(child);
    const again = await folder.start();
    expect(await folder.serverPid()).toBe(pid);
    expect(await readNotes(again.ownerUrl)).toEqual([{ text: "kept" }]);
    await again.stop();
    await expect(readFile(folder.pidFile)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a start succeeds after a killed server that left its postmaster.pid", async ({ used: folder }) => {
    const first = await folder.start();
    await writeNote(first.ownerUrl);
    process.kill(await folder.serverPid(), "SIGKILL");
    await first.stop();
    expect(await folder.serverPid()).toBeGreaterThan(0);
    const again = await folder.start();
    expect(await readNotes(again.ownerUrl)).toEqual([{ text: "kept" }]);
  });

  test("a start succeeds when postmaster.pid contains the id of another program's process", async ({
    used: folder,
    onTestFinished,
  }) => {
    const { stop } = await folder.start();
    await stop();
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    onTestFinished(() => kill(other));
    await writeFile(
      folder.pidFile,
      `${other.pid}\n${join(folder.path, "postgres")}\n1\n1\n\n127.0.0.1\n\nready   \n`,
    );
    expect((await folder.start()).fresh).toBe(false);
  });
});

describe.concurrent("a data folder", () => {
  test("has one owner: the process that starts first", async ({ used: folder }) => {
    const { ownerUrl } = await folder.startElsewhere();
    await expect(startEmbedded({ folder: folder.path })).rejects.toThrow(
      `the data folder ${folder.path} is in use by another cardbridge; stop it or set DATA_DIR`,
    );
    expect(await run(ownerUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("is owned by one of two concurrent starts", async ({ folder }) => {
    const outcomes = await Promise.allSettled([folder.start(), folder.start()]);
    const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(winners).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "FolderInUse" });
    }
    for (const { ownerUrl } of winners) expect(await run(ownerUrl, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});
