import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { defaultRuntime } from "../../src/runtime.ts";
import { type Fault, faults, startFaultProxy } from "./fault-proxy.ts";

/** For a longer run: `CLIENT_SUBMISSIONS=1000 npm run test:deep -- faults`. */
const submissions = Number(process.env.CLIENT_SUBMISSIONS ?? 200);
const concurrency = 16;
const all: readonly Fault[] = [...faults.beforeEffect, ...faults.afterEffect];

let service: Awaited<ReturnType<typeof startTestService>>;
let proxy: Awaited<ReturnType<typeof startFaultProxy>>;
const happened = new Map<Fault, number>();
let requests = 0;

beforeAll(async () => {
  // A submission whose deadline passes on a busy machine is executed by the worker.
  service = await startTestService({ events: false, env: { RUN: "all" } });
  proxy = await startFaultProxy(service.url, nextFault);
});
afterAll(async () => {
  await proxy.close();
  await service.stop();
});

/** Two of three requests fail. The faults rotate. */
function nextFault(): Fault {
  requests += 1;
  const fault = requests % 3 === 0 ? "none" : (all[Math.floor((requests * 2) / 3) % all.length] ?? "none");
  happened.set(fault, (happened.get(fault) ?? 0) + 1);
  return fault;
}

it("creates exactly one record per submission despite faults of the connection", async () => {
  const { kyc } = createClient({
    baseUrl: proxy.url,
    apiKey: service.caller().key,
    timeoutMs: 600_000,
    attemptTimeoutMs: 1_000,
    maxRetries: 1_000,
    // retry.test.ts covers the delays between attempts.
    runtime: { ...defaultRuntime, sleep: async () => {} },
  });
  const records: string[] = [];
  let started = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (started < submissions) {
        started += 1;
        // After a rejection, an equal body creates a new record unless the Idempotency-Key is the same.
        const { kycRecordId } = await kyc.submit(newSubmission(started % 2 === 0 ? "rejected" : "approved"));
        records.push(kycRecordId);
      }
    }),
  );
  await service.idle();
  expect(new Set(records).size).toBe(submissions);
  const executed = async () => (await service.ledger()).executions.map(({ reference }) => reference).sort();
  await expect.poll(executed).toEqual(records.sort());
  for (const fault of all) expect(happened.get(fault), fault).toBeGreaterThan(0);
  expect(requests).toBeGreaterThan(submissions * 2);
});
