import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@cardbridge/store/testing";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { version } from "../../../src/process/version.ts";
import { runCli, runToEnd, type ServiceProcess, startService } from "../../support/service-process.ts";
import { unusedPort } from "../../support/unused-port.ts";

/** Processes of one database need one store of files. */
let folder: string;
let database: TestDatabase;
let admin: Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-stores-"));
});
beforeEach(async () => {
  database = await createTestDatabase(inject("postgres"));
  admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
});
afterEach(async () => {
  await admin.end();
  await database.drop();
});
afterAll(() => rm(folder, { recursive: true }));

/** The environment of a process with this folder of files. */
const withFolder = (name: string) => ({
  RUN: "api",
  PORT: "0",
  METRICS_PORT: "0",
  FILES_DIR: join(folder, name),
  DATABASE_URL: database.serviceUrl,
  PROVIDER_URL: "http://127.0.0.1:9",
  PROVIDER_CLIENT_ID: "id",
  PROVIDER_CLIENT_SECRET: "secret",
});

const refusal = (variable: string) =>
  expect.stringMatching(
    `^  - ${variable}: The process on ${hostname()} keeps its files in another store, .* after \\d{4}-\\S+Z\\.$`,
  );
const refused = (variable = "FILES_DIR") => ({
  code: 1,
  lines: ["The configuration is invalid:", refusal(variable)],
});

/** Starts a process that is expected to be refused. */
async function startRefused(env: Record<string, string>) {
  const { code, output } = await runToEnd("main.js", env);
  return { code, lines: output.trim().split("\n") };
}

const processesIn = async ({ url }: ServiceProcess) =>
  ((await (await fetch(`${url}/health/ready`)).json()) as { processes?: unknown }).processes;

it("a start is refused while a process with another folder runs, and accepted after its stop", async () => {
  const first = await startService(withFolder("a"));
  expect(await startRefused(withFolder("b"))).toEqual(refused());
  const worker = await startService({ ...withFolder("a"), RUN: "worker" });
  const both = [
    { role: "api", version, count: 1 },
    { role: "worker", version, count: 1 },
  ];
  await expect.poll(() => Promise.all([first, worker].map(processesIn))).toEqual([both, both]);

  expect(await first.end("SIGTERM")).toBe(0);
  expect(await startRefused(withFolder("b"))).toEqual(refused());
  expect(await worker.end("SIGTERM")).toBe(0);
  const other = await startService(withFolder("b"));
  expect(await other.end("SIGTERM")).toBe(0);
});

it("a process that was killed refuses another folder until its heartbeats are too old", async () => {
  const killed = await startService(withFolder("a"));
  expect(await killed.end("SIGKILL")).toBe("SIGKILL");
  expect(await startRefused(withFolder("b"))).toEqual(refused());
  await admin.query("update service_processes set seen_at = seen_at - interval '45 seconds'");
  const other = await startService(withFolder("b"));
  await expect.poll(() => processesIn(other)).toEqual([{ role: "api", version, count: 1 }]);
  expect(await other.end("SIGTERM")).toBe(0);
});

it("of two processes that start at once with different folders, one starts", async () => {
  const starts = await Promise.allSettled(["a", "b"].map((name) => startService(withFolder(name))));
  const started = starts.flatMap((start) => (start.status === "fulfilled" ? [start.value] : []));
  const failed = starts.flatMap((start) => (start.status === "rejected" ? [String(start.reason)] : []));
  expect(failed).toEqual([expect.stringContaining("keeps its files in another store")]);
  for (const service of started) expect(await service.end("SIGTERM")).toBe(0);
});

it("a bucket and a folder are different stores", async () => {
  const port = await unusedPort();
  // The bucket does not answer, so the processes start with a warning.
  const withBucket = (name: string) => {
    const { FILES_DIR: _, ...others } = withFolder("");
    return {
      ...others,
      FILES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      FILES_S3_BUCKET: name,
      FILES_S3_ACCESS_KEY_ID: "id",
      FILES_S3_SECRET_ACCESS_KEY: "secret",
    };
  };
  const service = await startService(withBucket("files"));
  expect(await startRefused(withFolder("a"))).toEqual(refused());
  const { code, lines } = await startRefused(withBucket("other-files"));
  expect({ code, lines: lines.slice(-2) }).toEqual(refused("FILES_S3_BUCKET"));
  const second = await startService(withBucket("files"));
  for (const each of [service, second]) expect(await each.end("SIGTERM")).toBe(0);
});

it("operators list the processes with their versions and hosts", async () => {
  const service = await startService({ ...withFolder("a"), COMMIT: "5f0c1d2" });
  await admin.query(
    "insert into service_processes (id, role, version, host) values ('prc_old', 'worker', '0.1.0', 'web-2')",
  );
  const { code, stdout } = await runCli(["processes", "list", "--json"], withFolder("a"));
  const moment = expect.stringMatching(/^\d{4}-.*Z$/);
  const one = { processId: expect.stringMatching(/^prc_/), startedAt: moment, seenAt: moment, live: true };
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      processes: expect.arrayContaining([
        { ...one, role: "api", version, commit: "5f0c1d2", host: hostname() },
        { ...one, role: "worker", version: "0.1.0", commit: null, host: "web-2" },
      ]),
      more: false,
    },
  ]);
  expect(await service.end("SIGTERM")).toBe(0);
});
