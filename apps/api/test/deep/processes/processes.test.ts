import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { version } from "@cardbridge/node";
import { startSandbox } from "@cardbridge/sandbox";
import { exampleSubmission } from "@cardbridge/service";
import { createTestDatabase } from "@cardbridge/service/database/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { seedDatabase } from "../../../src/boot/development/seed.ts";
import { encryptionKeys } from "../../../src/boot/options.ts";
import { readEnv } from "../../../src/config/env.ts";
import { restList } from "../../support/call.ts";
import { runCli, runToEnd, type ServiceProcess, startService } from "../../support/service-process.ts";

const shell = promisify(execFile);
const aRing = () => `1:${randomBytes(32).toString("base64")}`;
let folder: string;
/** The data of one service. The tests without configuration share it, because a new database takes seconds. */
let data: { DATA_DIR: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-process-"));
  data = { DATA_DIR: join(folder, "data") };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const refuses = (url: string) =>
  fetch(url).then(
    () => false,
    () => true,
  );
const caller = (service: ServiceProcess) => ({
  key: demoKeys.first,
  fetch: (path: string, init?: RequestInit) => fetch(`${service.url}${path}`, init),
});
/** Submits a body with the key of the banner. */
async function submit(service: ServiceProcess, changes: object = {}): Promise<{ kycRecordId: string }> {
  const { key, fetch: call } = caller(service);
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ ...exampleSubmission.input, ...changes });
  const response = await call("/openapi/v1/users/kyc", { method: "POST", headers, body });
  return response.json() as Promise<{ kycRecordId: string }>;
}
/** The process of the embedded database. */
const postmasterId = async () =>
  Number.parseInt(await readFile(join(data.DATA_DIR, "postgres/postgres/postmaster.pid"), "utf8"), 10);
const sandboxOf = (service: ServiceProcess) => /Sandbox +(\S+)/.exec(service.output())?.[1] ?? "";

/** Submits a user with a late response from the provider. Returns once the provider has the submission. */
async function submitSlowly(service: ServiceProcess, name: string) {
  const attempts = async () => {
    const ledger = await (await fetch(`${sandboxOf(service)}/_ledger`)).json();
    return (ledger as { attempts: [] }).attempts.length;
  };
  const before = await attempts();
  const answer = submit(service, { memberId: name, email: `${name}+slow@example.com` });
  await expect.poll(attempts).toBe(before + 1);
  return () => answer;
}

describe("a start without configuration", () => {
  it("prints a banner with a working command, lets only the command line use its folder, and ends cleanly", async () => {
    const service = await startService(data);
    const { console: _, ...keys } = demoKeys;
    for (const word of [service.url, `${service.url}/docs`, ...Object.values(keys), sandboxOf(service)])
      expect(service.output()).toContain(word);
    const [, command = ""] = /^ {2}Try it +(.+)$/m.exec(service.output()) ?? [];
    expect(JSON.parse((await shell("sh", ["-c", command])).stdout).items).toHaveLength(4);
    const submitted = await submit(service);
    expect(submitted).toMatchObject({ success: true, status: "APPROVED" });

    const second = await runToEnd("main.js", { ...data, PORT: "0" });
    expect(second).toMatchObject({ code: 1, output: expect.stringContaining("DATA_DIR") });
    expect(second.output).not.toContain("    at ");
    expect(await runCli(["records", "refresh", submitted.kycRecordId], data)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The provider has it: approved, .*\n.*: still APPROVED\n$/),
    });
    expect(await service.end("SIGTERM")).toBe(0);
    expect(await refuses(sandboxOf(service))).toBe(true);
    expect(await runCli(["records", "list"], data)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No service runs on"),
    });
    await expect(readFile(join(data.DATA_DIR, "sandbox.url"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("keeps its data after kill -9 of the service and of all processes, and stops when its database exits", async () => {
    const first = await startService(data);
    const submitted = await submit(first);
    expect(await first.end("SIGKILL")).toBe("SIGKILL");

    const second = await startService(data);
    const postmaster = await postmasterId();
    // A stopped service cannot exit when its database exits.
    second.child.kill("SIGSTOP");
    process.kill(postmaster, "SIGKILL");
    expect(await second.end("SIGKILL")).toBe("SIGKILL");

    const third = await startService(data);
    expect(await submit(third)).toEqual(submitted);
    const ended = once(third.child, "close");
    process.kill(await postmasterId(), "SIGKILL");
    expect(await ended).toEqual([1, null]);
    expect(third.output()).toContain("The embedded PostgreSQL exited unexpectedly");
  });

  it("completes an active request when it is stopped, and ends a subscription at once", async () => {
    // Longer than the test may take: a drain that waits for the subscription fails.
    const service = await startService({ ...data, SHUTDOWN_GRACE_MS: "600000" });
    const { key, fetch: call } = caller(service);
    const subscription = await call("/trpc/kyc.changes", { headers: { authorization: `Bearer ${key}` } });
    const answer = await submitSlowly(service, "frank");
    // A terminal and npm send a signal each.
    service.child.kill("SIGINT");
    expect(await service.end("SIGINT")).toBe(0);
    expect(await answer()).toMatchObject({ code: "KYC_SUBMITTED" });
    // The event `return` would tell the client not to reconnect.
    const events = await subscription.text();
    expect(events).toContain("subscription.started");
    expect(events).not.toContain("event: return");
  });
});

describe("in production", () => {
  it("supports concurrent migration commands, checks the database at the start, and refuses demo keys", async () => {
    const database = await createTestDatabase(inject("postgres"), { empty: true });
    const sandbox = await startSandbox({
      dataFolder: join(folder, "provider"),
      clientId: "id",
      clientSecret: "a-secret-of-length",
    });
    const env = {
      NODE_ENV: "production",
      ENVIRONMENT: "test",
      PORT: "0",
      PUBLIC_URL: "https://cards.example.com",
      FILES_DIR: join(folder, "files"),
      DATABASE_URL: database.serviceUrl,
      PROVIDER_URL: sandbox.url,
      PROVIDER_CLIENT_ID: "id",
      PROVIDER_CLIENT_SECRET: "a-secret-of-length",
      FINGERPRINT_KEY: randomBytes(32).toString("base64"),
      KEY_RING: aRing(),
    };
    const early = await runToEnd("main.js", env);
    expect(early).toMatchObject({ code: 1, output: expect.stringContaining("lacks migrations") });

    const migrating = { DATABASE_URL: database.serviceUrl, MIGRATION_DATABASE_URL: database.ownerUrl };
    const migrated = await Promise.all(Array.from({ length: 4 }, () => runToEnd("migrate.js", migrating)));
    expect(migrated.map(({ code, output }) => [code, output.split("\n").at(-2)])).toEqual(
      Array(4).fill([0, `The database is up to date with version ${version}.`]),
    );
    const done = migrated.flatMap(({ output }) => output.match(/^\w+(?= is done\.$)/gm) ?? []);
    expect(done.sort()).toEqual([...new Set(done)].sort());
    expect(done).toContain("0001_tables");

    const superuser = await runToEnd("main.js", { ...env, DATABASE_URL: database.adminUrl });
    expect(superuser).toMatchObject({ code: 1, output: expect.stringContaining("superuser") });

    await seedDatabase(database.ownerUrl, encryptionKeys(readEnv(env)));
    const service = await startService(env);
    expect(service.output()).not.toContain("cb_test_");
    expect(await restList(caller(service), { memberId: "alice" })).toMatchObject({ status: 401 });
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await service.end("SIGTERM")).toBe(0);

    const keyless = await startService({ ...env, KEY_RING: aRing() });
    const wrong = "KEY_RING version 1 differs from the key that this database was first used with.";
    await expect.poll(keyless.output).toContain(wrong);
    const ready = await fetch(`${keyless.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      {
        status: "not ready",
        environment: "test",
        reasons: [wrong],
        processes: [{ role: "all", version, count: 1 }],
      },
    ]);
    expect(await keyless.end("SIGTERM")).toBe(0);
    await sandbox.close();
    await database.drop();
  });

  it("migrates at the start with the owner's URL, in several instances at once", async () => {
    const database = await createTestDatabase(inject("postgres"), { empty: true });
    const env = {
      DATABASE_URL: database.serviceUrl,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      FILES_DIR: join(folder, "files"),
    };
    const services = await Promise.all(
      ["a", "b", "c"].map((name) => startService({ ...env, DATA_DIR: join(folder, name) })),
    );
    for (const service of services) expect(await service.end("SIGTERM")).toBe(0);
    await database.drop();
  });
});
