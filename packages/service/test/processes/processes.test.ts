import { randomUUID } from "node:crypto";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import {
  countProcesses,
  type Database,
  type ProcessDetails,
  registerProcess,
  removeProcess,
  renewProcess,
} from "../../src/database.ts";
import type { Ports } from "../../src/index.ts";
import { listProcesses } from "../../src/processes/list.ts";
import { operatorCall } from "../support/calls.ts";
import { makeWorld, type World } from "../support/world.ts";

let database: Database;
let admin: World["admin"];
let ports: Ports;
beforeEach(async () => {
  ({ admin, database, ports } = await makeWorld({ until: onTestFinished }));
});

const aProcess = (details: Partial<ProcessDetails> = {}): ProcessDetails => ({
  id: `prc_${randomUUID()}`,
  role: "api",
  version: "1.0.0",
  host: "web-1",
  files: "folder-a",
  ...details,
});

/** Starts a process. Returns the host of a live process with another store, or undefined. */
const start = async (details: Partial<ProcessDetails> = {}) =>
  (await registerProcess(database, aProcess(details)))?.host;

/** Makes the last heartbeats of all processes this old. */
const age = (interval: string) =>
  admin("update service_processes set seen_at = now() - $1::interval", [interval]);

const list = async () => (await listProcesses.execute(ports, operatorCall, {})).data.processes;
const hosts = async () => (await list()).map(({ host }) => host).sort();

test("a process with another store is refused, with the host and the end of the one that runs", async () => {
  expect(await start()).toBeUndefined();
  const [running] = await list();
  const other = await registerProcess(database, aProcess({ host: "web-2", files: "folder-b" }));
  const liveUntil = new Date(Date.parse(running?.seenAt ?? "") + 45_000);
  expect(other?.host).toBe("web-1");
  expect(Math.abs(Number(other?.liveUntil) - Number(liveUntil))).toBeLessThanOrEqual(1);
  expect(await hosts()).toEqual(["web-1"]);
});

test("processes with the same store are accepted, and one whose store is unknown is not compared", async () => {
  expect(await start()).toBeUndefined();
  expect(await start({ host: "web-2" })).toBeUndefined();
  expect(await start({ host: "web-3", files: undefined })).toBeUndefined();
  expect(await hosts()).toEqual(["web-1", "web-2", "web-3"]);
});

test("another store is accepted once the process stopped, or had no heartbeat for 45 seconds", async () => {
  const stopping = aProcess();
  await registerProcess(database, stopping);
  await removeProcess(database, stopping.id);
  expect(await start({ files: "folder-b" })).toBeUndefined();
  await age("30 seconds");
  expect(await start({ files: "folder-c" })).toBe("web-1");
  await age("46 seconds");
  expect(await start({ files: "folder-c" })).toBeUndefined();
});

test("of processes that start at once with different stores, those of one store start", async () => {
  const stores = Array.from({ length: 10 }, (_, nth) => (nth % 2 === 0 ? "folder-a" : "folder-b"));
  const refused = await Promise.all(stores.map((files) => start({ files })));
  const accepted = new Set(stores.filter((_, nth) => refused[nth] === undefined));
  expect([accepted.size, await hosts()]).toEqual([1, Array(5).fill("web-1")]);
});

test("a heartbeat renews its process, stores it again if it is missing, and deletes those of a day ago", async () => {
  const [renewed, missing] = [aProcess({ host: "web-2" }), aProcess({ host: "web-3" })];
  await start();
  await registerProcess(database, renewed);
  await age("25 hours");
  await renewProcess(database, renewed);
  await renewProcess(database, missing);
  const listed = await list();
  expect(listed.map(({ host, live }) => [host, live]).sort()).toEqual([
    ["web-2", true],
    ["web-3", true],
  ]);
  expect(listed.map(({ startedAt, seenAt }) => startedAt < seenAt).sort()).toEqual([false, true]);
});

test("a process that was killed is listed as not live, and not counted", async () => {
  await start({ host: "killed", role: "worker" });
  await age("1 minute");
  await start({ commit: "5f0c1d2", version: "1.1.0" });
  await start();
  await start();
  expect(await list()).toMatchObject([
    { live: true, commit: null },
    { live: true, commit: null },
    { live: true, commit: "5f0c1d2", version: "1.1.0" },
    { live: false, host: "killed", role: "worker" },
  ]);
  expect(await countProcesses(database)).toEqual([
    { role: "api", version: "1.0.0", count: 2 },
    { role: "api", version: "1.1.0", count: 1 },
  ]);
});
