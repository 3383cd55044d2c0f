import { Failure } from "@cardbridge/domain";
import type { Database } from "@cardbridge/service/database";
import { countProcesses, deriveKeys, keyProblems, parseKeyRing } from "@cardbridge/service/database";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { databaseReasons, fileReasons } from "../../src/boot/checks.ts";
import { developmentFingerprintKey, developmentKeyRing } from "../../src/config/development-secrets.ts";
import { checkDependencies, createHealthApp, healthOf } from "../../src/server/health.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const keys = deriveKeys({
  ring: parseKeyRing(developmentKeyRing),
  fingerprintKey: developmentFingerprintKey,
});
const environment = "test";
const never = () => new Promise<never>(() => {});
const reachable = async () => ({ reachable: true, pendingMigrations: [] });
const database = (parts: Partial<Database>) =>
  ({ withoutPlatform: async () => [], health: reachable, ...parts }) as unknown as Database;
const files = { checkRead: async () => {} };

const dependenciesOf = (parts: Partial<Database>, blobs = files) =>
  checkDependencies({
    database: () => databaseReasons(database(parts)),
    encryptionKeys: () => keyProblems(database(parts), keys),
    files: () => fileReasons(blobs.checkRead),
    processes: () => countProcesses(database(parts)),
  });

/** The answer of GET /health/ready after at most two seconds. */
async function ready(parts: Partial<Database>, blobs = files) {
  const dependencies = dependenciesOf(parts, blobs);
  const app = createHealthApp({ environment, state: async () => healthOf(await dependencies()) });
  const answered = Promise.resolve(app.request("/ready"));
  await vi.advanceTimersByTimeAsync(2_000);
  const late = new Response(JSON.stringify("no answer within two seconds"));
  const response = await Promise.race([answered, late]);
  return [response.status, await response.json()];
}

it("a process whose dependencies work is ready", async () => {
  expect(await ready({})).toEqual([200, { status: "ready", environment, processes: [] }]);
});

it.each([
  ["the database hangs", { health: never, withoutPlatform: never }],
  ["the query of the keys hangs", { withoutPlatform: never }],
])("readiness names the database within two seconds if %s", async (_, parts) => {
  expect(await ready(parts)).toEqual([
    503,
    {
      status: "not ready",
      environment,
      reasons: ["The database cannot be reached: it does not respond (timeout)."],
    },
  ]);
});

it.each([
  ["hangs", never, "it does not respond (timeout)"],
  [
    "is full",
    () => Promise.reject(new Failure("STORAGE_FULL")),
    "it is full, or has less than 64 MB of free space (full)",
  ],
  [
    "has no bucket",
    async () => {
      throw Object.assign(new Error("It failed."), { code: "NoSuchBucket" });
    },
    "there is no bucket of this name (NoSuchBucket)",
  ],
])("a process is ready, and names the file store, if it %s", async (_, checkRead, reason) => {
  expect(await ready({}, { checkRead })).toEqual([
    200,
    {
      status: "ready",
      environment,
      warnings: [`The file store cannot be used: ${reason}.`],
      processes: [],
    },
  ]);
});

it.each([
  ["hangs", never],
  ["fails", () => Promise.reject(new Error("It failed."))],
])("a process is ready, without the processes, if their count %s", async (_, count) => {
  let queries = 0;
  // The count is the first query: the keys are checked after the health of the database.
  const withoutPlatform = async () => (queries++ === 0 ? count() : []);
  expect(await ready({ withoutPlatform } as Partial<Database>)).toEqual([
    200,
    { status: "ready", environment },
  ]);
});

it("a check that hangs is not started again", async () => {
  const health = vi.fn(never);
  const dependencies = dependenciesOf({ health });
  for (let reader = 0; reader < 5; reader += 1) {
    const answer = dependencies();
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await answer).database).toHaveLength(1);
  }
  expect(health).toHaveBeenCalledTimes(1);
});
