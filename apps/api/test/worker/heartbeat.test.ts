import { hostname } from "node:os";
import { openDatabase, registerProcess, removeProcess, renewProcess } from "@cardbridge/service/database";
import { createTestDatabase, startDatabaseProxy } from "@cardbridge/service/database/testing";
import { Client } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { createHeartbeat } from "../../src/worker/heartbeat.ts";

/** A heartbeat over a proxy to a database, the rows that it stores, and the lines that it logs. */
async function aHeartbeat() {
  const urls = await createTestDatabase(inject("postgres"));
  const proxy = await startDatabaseProxy(urls.serviceUrl);
  const admin = new Client({ connectionString: urls.adminUrl });
  await admin.connect();
  const database = openDatabase({ url: proxy.url, onError: () => {} });
  const lines: unknown[] = [];
  const heartbeat = createHeartbeat({
    env: { RUN: "api", COMMIT: "5f0c1d2" },
    processes: {
      register: (process) => registerProcess(database, process),
      renew: (process) => renewProcess(database, process),
      remove: (id) => removeProcess(database, id),
    },
    filesVariable: "FILES_DIR",
    log: { warn: (event, fields) => lines.push([event, fields]) },
    intervalMs: 1,
  });
  onTestFinished(async () => {
    proxy.up();
    await heartbeat.stop();
    await database.close();
    await proxy.close();
    await admin.end();
    await urls.drop();
  });
  const rows = async (columns = "role, host, commit, files") =>
    (await admin.query(`select ${columns} from service_processes`)).rows;
  /** Resolves after the next heartbeat. */
  async function next() {
    const seen = async () => (await rows("seen_at::text"))[0]?.seen_at;
    const before = await seen();
    await expect.poll(seen).not.toBe(before);
  }
  return { heartbeat, proxy, rows, lines, next, admin };
}

it("stores the process at its start, renews it, and removes it at its stop", async () => {
  const { heartbeat, rows, lines, next } = await aHeartbeat();
  expect(await rows()).toEqual([]);
  await heartbeat.start("folder-a");
  expect(await rows()).toEqual([{ role: "api", host: hostname(), commit: "5f0c1d2", files: "folder-a" }]);
  await next();
  await heartbeat.stop();
  expect([await rows(), lines]).toEqual([[], []]);
});

it("continues after an outage of the database, which it logs once", async () => {
  const { heartbeat, proxy, lines, next, admin } = await aHeartbeat();
  await heartbeat.start("folder-a");
  for (const outage of [1, 2]) {
    proxy.down();
    await expect.poll(() => lines.length).toBe(outage);
    // The row can be missing after a failover.
    await admin.query("delete from service_processes");
    proxy.up();
    await next();
    await next();
    expect(lines).toHaveLength(outage);
  }
  const reason = expect.toBeOneOf(["connection-lost", "ECONNRESET", "EPIPE"]);
  expect(lines).toEqual(Array(2).fill(["heartbeat_failed", { reason }]));
});

it("stores no process whose start is refused, and removes none", async () => {
  const { heartbeat, rows, admin } = await aHeartbeat();
  await admin.query(
    "insert into service_processes (id, role, version, host, files) values ('prc_1', 'api', '1', 'web-1', 'folder-b')",
  );
  await expect(heartbeat.start("folder-a")).rejects.toMatchObject({
    reasons: [expect.stringMatching(/^FILES_DIR: The process on web-1 keeps its files in another store, /)],
  });
  await heartbeat.stop();
  expect(await rows("id")).toEqual([{ id: "prc_1" }]);
});
