import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "@cardbridge/node";
import { createTestDatabase } from "@cardbridge/service/database/testing";
import { Client } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { runCli, type ServiceProcess, startService } from "../../support/service-process.ts";

const processesIn = async ({ url }: ServiceProcess) =>
  ((await (await fetch(`${url}/health/ready`)).json()) as { processes?: unknown }).processes;

it("processes of one database need one store of files: a start is refused while another has heartbeats", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-stores-"));
  const database = await createTestDatabase(inject("postgres"));
  const admin = new Client({ connectionString: database.adminUrl });
  await admin.connect();
  onTestFinished(async () => {
    await admin.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  /** The environment of a process with this folder of files. */
  const withFolder = (name: string) => ({
    ...{ RUN: "api", PORT: "0", METRICS_PORT: "0", COMMIT: "5f0c1d2" },
    ...{ PROVIDER_URL: "http://127.0.0.1:9", PROVIDER_CLIENT_ID: "id", PROVIDER_CLIENT_SECRET: "secret" },
    FILES_DIR: join(folder, name),
    DATABASE_URL: database.serviceUrl,
  });
  const refusal = `FILES_DIR: The process on ${hostname()} keeps its files in another store, .* after \\d{4}-\\S+Z\\.`;
  const reason = new RegExp(`ended \\(1\\): \\s*The configuration is invalid:\\n {2}- ${refusal}\\s*$`);
  const expectRefused = (env: Record<string, string>) => expect(startService(env)).rejects.toThrow(reason);

  const first = await startService(withFolder("a"));
  await expectRefused(withFolder("b"));
  const worker = await startService({ ...withFolder("a"), RUN: "worker" });
  const both = [
    { role: "api", version, count: 1 },
    { role: "worker", version, count: 1 },
  ];
  await expect.poll(() => Promise.all([first, worker].map(processesIn))).toEqual([both, both]);
  const listed = JSON.parse((await runCli(["processes", "list", "--json"], withFolder("a"))).stdout);
  const one = { version, commit: "5f0c1d2", host: hostname(), live: true };
  expect(listed.processes).toEqual(
    ["worker", "api"].map((role) => expect.objectContaining({ ...one, role })),
  );

  expect(await first.end("SIGTERM")).toBe(0);
  await expectRefused(withFolder("b"));
  expect(await worker.end("SIGKILL")).toBe("SIGKILL");
  await expectRefused(withFolder("b"));
  await admin.query("update service_processes set seen_at = seen_at - interval '45 seconds'");
  const other = await startService(withFolder("b"));
  expect(await other.end("SIGTERM")).toBe(0);
});
