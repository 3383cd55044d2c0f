import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { putApiKey, putPlatform } from "@cardbridge/store";
import { createTestDatabase, type TestDatabase } from "@cardbridge/store/testing";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { mintKey } from "../../../src/api-keys/api-key.ts";
import { runToEnd, type ServiceProcess, startService } from "../../support/service-process.ts";

/** Several processes on one port, which PROCESSES starts, and their one rate limit (G22). */
let folder: string;
let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-several-"));
  database = await createTestDatabase(inject("postgres"));
  env = {
    ...{ RUN: "api", METRICS_PORT: "0", DATA_DIR: folder, DATABASE_URL: database.serviceUrl },
    ...{ PROVIDER_URL: "http://127.0.0.1:9", PROVIDER_CLIENT_ID: "id", PROVIDER_CLIENT_SECRET: "secret" },
    // Too slow to gain a token during a test.
    ...{ PROCESSES: "3", RATE_LIMIT_READS: "90/86400" },
  };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Executes a statement; returns how many rows it returns or changes. */
async function asAdmin(statement: string): Promise<number | null> {
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  const { rowCount } = await client.query(statement);
  await client.end();
  return rowCount;
}

/** The key of a new platform. */
async function aKey(): Promise<string> {
  const id = `plt_${randomUUID()}`;
  await putPlatform(database.ownerUrl, { id, name: "A platform" });
  const { key, ...stored } = mintKey("live");
  const details = { platformId: id, keyId: `key_${id}`, name: "A key", scopes: ["cards:read" as const] };
  await putApiKey(database.ownerUrl, { ...details, ...stored });
  return key;
}

/** The outcome of a call on a connection of its own, which may lead to any of the processes. */
async function outcomeOf({ url }: ServiceProcess, key: string): Promise<number | "reset"> {
  const path = "/openapi/v1/users/kyc/requirements";
  const request = get(`${url}${path}`, { agent: false, headers: { authorization: `Bearer ${key}` } });
  try {
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ECONNRESET") return "reset";
    throw error;
  }
}

/** The outcomes of calls, some at once, until this many have a status. */
async function outcomesOf(service: ServiceProcess, key: string, count: number) {
  const outcomes: (number | "reset")[] = [];
  const answered = () => outcomes.filter((outcome) => outcome !== "reset").length;
  const caller = async () => {
    while (answered() < count) outcomes.push(await outcomeOf(service, key));
  };
  await Promise.all(Array.from({ length: 6 }, caller));
  return outcomes;
}

/** How many of this many calls are allowed; the others are refused by the limit. */
async function allowed(service: ServiceProcess, key: string, count: number): Promise<number> {
  const outcomes = await outcomesOf(service, key, count);
  expect(outcomes.filter((outcome) => outcome !== 200 && outcome !== 429)).toEqual([]);
  return outcomes.filter((outcome) => outcome === 200).length;
}

/**
 * The same, after a kill: a listener that dies, or takes its place beside the others again, may reset the connections
 * that the system gave to it.
 */
async function allowedAfterKill(service: ServiceProcess, key: string, count: number): Promise<number> {
  const outcomes = await outcomesOf(service, key, count);
  const possible = [200, 429, "reset"];
  expect(outcomes.filter((outcome) => !possible.includes(outcome))).toEqual([]);
  return outcomes.filter((outcome) => outcome === 200).length;
}

const listed = (...options: string[]): number[] => {
  try {
    return execFileSync("ps", ["-o", "pid=", ...options], { encoding: "utf8" })
      .split("\n")
      .flatMap((line) => Number(line) || []);
  } catch {
    // ps fails if it finds no process.
    return [];
  }
};
const childrenOf = ({ child }: ServiceProcess) => listed("--ppid", String(child.pid));
const alive = (pids: readonly number[]) => listed("-p", pids.join());

it("three processes share one limit, in bursts, without leases, and after one was killed", async () => {
  const service = await startService(env);
  const processes = childrenOf(service);
  expect(processes).toHaveLength(3);
  expect(service.output().match(/cardbridge is ready/g)).toHaveLength(1);
  expect(service.output().match(/\/metrics/g)).toHaveLength(3);

  const burst = await allowed(service, await aKey(), 240);
  expect(service.output()).not.toContain("rate_limit_not_shared");
  expect(burst).toBeLessThanOrEqual(90);
  expect(burst).toBeGreaterThanOrEqual(81);

  const killed = await aKey();
  await allowed(service, killed, 30);
  const [first = 0] = processes;
  process.kill(first, "SIGKILL");
  // Until then the system may give it connections.
  await expect.poll(() => alive([first])).toEqual([]);
  // As if the time had passed in which the bucket becomes full.
  await asAdmin("update rate_limits set refilled_at = refilled_at - interval '1 day'");
  const afterwards = await allowedAfterKill(service, killed, 240);
  expect(afterwards).toBeLessThanOrEqual(99);
  expect(afterwards).toBeGreaterThanOrEqual(81);
  await expect.poll(service.output).toContain("a process ended unexpectedly (SIGKILL)");
  await expect.poll(() => childrenOf(service).length).toBe(3);

  // The new process learns how many there are when it takes its first tokens. The killed one still counts.
  const known = async () => {
    await allowedAfterKill(service, await aKey(), 12);
    return asAdmin("select from limiting_processes");
  };
  await expect.poll(known).toBe(4);

  await asAdmin("revoke execute on all functions in schema public from cardbridge_service");
  await asAdmin("grant execute on function find_api_keys to cardbridge_service");
  const [one, two] = processes.slice(1);
  expect(alive([one ?? 0, two ?? 0])).toHaveLength(2);
  const unshared = await allowedAfterKill(service, await aKey(), 300);
  expect(unshared).toBeGreaterThan(0);
  expect(unshared).toBeLessThanOrEqual(120);

  const last = childrenOf(service);
  expect(await service.end("SIGKILL")).toBe("SIGKILL");
  await expect.poll(() => alive(last)).toEqual([]);
});

it("all processes end with SIGTERM, after active requests", async () => {
  const other = await createTestDatabase(inject("postgres"));
  const service = await startService({ ...env, PROCESSES: "2", RUN: "all", DATABASE_URL: other.serviceUrl });
  const processes = childrenOf(service);
  expect(processes).toHaveLength(2);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
  expect(alive(processes)).toEqual([]);
  await other.drop();
});

it("a failed start says why once, and leaves no process", async () => {
  const { code, output } = await runToEnd("main.js", {
    ...env,
    PORT: "0",
    DATABASE_URL: "postgres://a@127.0.0.1:9/b",
  });
  expect(code).toBe(1);
  expect(output.match(/nothing listens at its address/g)).toHaveLength(1);
  expect(output).toContain("A process of the service did not start.");
});

it("the embedded database and the sandbox need a single process", async () => {
  const { code, output } = await runToEnd("main.js", { PROCESSES: "auto", DATA_DIR: folder });
  expect(code).toBe(1);
  expect(output).toContain("PROCESSES needs DATABASE_URL and PROVIDER_URL");
});
