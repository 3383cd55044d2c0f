import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { putApiKey, putPlatform } from "@cardbridge/store";
import { createTestDatabase, type TestDatabase } from "@cardbridge/store/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { generateKey } from "../../support/generate-key.ts";
import { runToEnd, type ServiceProcess, startService } from "../../support/service-process.ts";

/** Several processes of one database, each with an address of its own, and their rate limits (G22). */
let folder: string;
let database: TestDatabase;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-several-"));
  database = await createTestDatabase(inject("postgres"));
  env = {
    RUN: "api",
    METRICS_PORT: "0",
    DATA_DIR: folder,
    DATABASE_URL: database.serviceUrl,
    PROVIDER_URL: "http://127.0.0.1:9",
    PROVIDER_CLIENT_ID: "id",
    PROVIDER_CLIENT_SECRET: "secret",
    // Too slow to gain a token during a test.
    RATE_LIMIT_READS: "90/86400",
  };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The key of a new platform. */
async function aKey(): Promise<string> {
  const id = `plt_${randomUUID()}`;
  await putPlatform(database.ownerUrl, { id, name: "A platform" });
  const { key, ...stored } = generateKey("platform");
  const details = { platformId: id, keyId: `key_${id}`, name: "A key", scopes: ["cards:read" as const] };
  await putApiKey(database.ownerUrl, { ...details, ...stored });
  return key;
}

type Outcome = number | "reset" | "refused";

/** The outcome of a call on a new connection. */
async function outcomeOf({ url }: ServiceProcess, key: string): Promise<Outcome> {
  const path = "/openapi/v1/users/kyc/requirements";
  const request = get(`${url}${path}`, { agent: false, headers: { authorization: `Bearer ${key}` } });
  try {
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ECONNRESET") return "reset";
    if (code === "ECONNREFUSED") return "refused";
    throw error;
  }
}

/** Sends calls, some concurrently, to the processes in rotation. Returns the outcomes of each process. */
async function outcomesOf(services: readonly ServiceProcess[], key: string, count: number) {
  const outcomes = services.map((): Outcome[] => []);
  let next = 0;
  const caller = async () => {
    for (let call = next++; call < count; call = next++) {
      const index = call % services.length;
      outcomes[index]?.push(await outcomeOf(services[index] as ServiceProcess, key));
    }
  };
  await Promise.all(Array.from({ length: 6 }, caller));
  return outcomes;
}

/** Returns how many of these calls are allowed. The limit rejects the other calls. */
async function allowed(services: readonly ServiceProcess[], key: string, count: number): Promise<number> {
  const outcomes = (await outcomesOf(services, key, count)).flat();
  expect(outcomes.filter((outcome) => outcome !== 200 && outcome !== 429)).toEqual([]);
  return outcomes.filter((outcome) => outcome === 200).length;
}

it("each of three processes has the whole rate, and two continue after one is killed", async () => {
  const services = await Promise.all([env, env, env].map((each) => startService(each)));
  const [killed, ...others] = services as [ServiceProcess, ServiceProcess, ServiceProcess];
  expect(new Set(services.map(({ url }) => url)).size).toBe(3);
  expect(await allowed(services, await aKey(), 300)).toBe(3 * 90);

  const key = await aKey();
  await allowed(services, key, 12);
  const around = outcomesOf(services, key, 60);
  expect(await killed.end("SIGKILL")).toBe("SIGKILL");
  const [ofKilled = [], ...ofOthers] = await around;
  const possible: Outcome[] = [200, "reset", "refused"];
  expect(ofKilled.filter((outcome) => !possible.includes(outcome))).toEqual([]);
  expect(ofOthers.flat()).toEqual(Array(40).fill(200));
  for (const service of others) expect(await service.end("SIGTERM")).toBe(0);
});

it("a process that cannot reach the database reports the reason once, and exits", async () => {
  const { code, output } = await runToEnd("main.js", {
    ...env,
    PORT: "0",
    DATABASE_URL: "postgres://a@127.0.0.1:9/b",
  });
  expect(code).toBe(1);
  expect(output.match(/nothing listens at its address/g)).toHaveLength(1);
});
