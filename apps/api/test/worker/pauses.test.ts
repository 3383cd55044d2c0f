import { openDatabase, readCurrentPauses } from "@cardbridge/service/database";
import { createTestDatabase, startDatabaseProxy } from "@cardbridge/service/database/testing";
import { Client } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { createKnownPauses } from "../../src/admission/pauses.ts";
import { createPauseReader } from "../../src/worker/pauses.ts";

/** A process that reads the pauses over a proxy to a database, and the lines that it logs. */
async function aProcess() {
  const urls = await createTestDatabase(inject("postgres"));
  const proxy = await startDatabaseProxy(urls.serviceUrl);
  const admin = new Client({ connectionString: urls.adminUrl });
  await admin.connect();
  const database = openDatabase({ url: proxy.url, onError: () => {} });
  const clock = { ms: 0 };
  const lines: unknown[] = [];
  const pauses = createKnownPauses({ onChange: () => {}, now: () => clock.ms });
  const reader = createPauseReader({
    pauses,
    read: () => readCurrentPauses(database),
    log: { warn: (event, fields) => lines.push([event, fields]) },
    everyMs: 1,
  });
  onTestFinished(async () => {
    proxy.up();
    await reader.stop();
    await database.close();
    await proxy.close();
    await admin.end();
    await urls.drop();
  });
  return { admin, clock, lines, pauses, proxy, reader };
}

const pauseProvider = `insert into pauses (id, platform_id, reason, until, paused_by)
  values ('pause_1', 'internal', 'Maintenance', now() + interval '1 hour', 'claim:ada')`;

it("a process knows the pauses after its start, and each later one", async () => {
  const { admin, pauses, reader } = await aProcess();
  await admin.query(pauseProvider);
  await reader.start();
  expect(pauses.provider()).toMatchObject({ reason: "Maintenance" });
  await admin.query("delete from pauses");
  await expect.poll(pauses.provider).toBeNull();
});

it("without the database, a known pause holds until its end, and the outage is logged once", async () => {
  const { admin, clock, lines, pauses, proxy, reader } = await aProcess();
  await admin.query(pauseProvider);
  await reader.start();
  proxy.down();
  await admin.query("delete from pauses");
  await expect.poll(() => lines.length).toBe(1);
  expect(pauses.provider()).toMatchObject({ reason: "Maintenance" });
  clock.ms = 58 * 60_000;
  expect(pauses.provider()).toMatchObject({ reason: "Maintenance" });
  clock.ms = 62 * 60_000;
  expect(pauses.provider()).toBeNull();
  expect(lines).toEqual([
    ["pauses_not_read", { reason: expect.toBeOneOf(["connection-lost", "ECONNRESET", "EPIPE"]) }],
  ]);
});

it("does not start if the pauses cannot be read", async () => {
  const { proxy, reader } = await aProcess();
  proxy.down();
  await expect(reader.start()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});
