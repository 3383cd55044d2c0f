import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** Unresolved submissions, and the worker that resolves them, with real components. Each test advances the clock. */
type World = Awaited<ReturnType<typeof startTestService>>;
let service: World;
/** A service with a short timeout for the provider. */
let impatient: World;
const clock = createManualClock();
const admins = new Map<World, Client>();
beforeAll(async () => {
  const start = async (ms: string) => {
    const started = await startTestService({
      events: false,
      sandboxClock: clock,
      overrides: { resolveIntervalMs: 20 },
      env: { RUN: "all", PROVIDER_KYC_TIMEOUT_MS: ms },
    });
    const admin = new Client({ connectionString: started.adminUrl });
    await admin.connect();
    admins.set(started, admin);
    return started;
  };
  [service, impatient] = await Promise.all([start("60000"), start("300")]);
});
afterAll(async () => {
  await Promise.all([...admins.values()].map((admin) => admin.end()));
  await Promise.all([service.stop(), impatient.stop()]);
});

interface Result {
  kycRecordId: string;
  code: string;
  status: string | null;
}

/** Ends the delays between attempts, so that the worker's next pass makes an attempt. */
async function endDelays(place: World): Promise<void> {
  await admins
    .get(place)
    ?.query("update kyc_records set due_at = now() where lease_until is null and due_at > now()");
}

/** Waits until the provider has decided, which it does after five seconds of its clock. */
async function untilApproved(body: unknown, place: World): Promise<Result> {
  clock.advance(5_000);
  const result = async () => {
    await endDelays(place);
    return (await restSubmit(place.caller(), body)).body as Result;
  };
  await expect.poll(async () => (await result()).status).toBe("APPROVED");
  return result();
}

async function outcomesOf(kycRecordId: string, { ledger }: World): Promise<string[]> {
  const { attempts } = await ledger();
  return attempts.filter(({ reference }) => reference === kycRecordId).map(({ outcome }) => outcome);
}

describe("a submission that ends in", () => {
  it.each([
    ["error-500", ["error-500", "executed"]],
    ["garbage", ["garbage"]],
    ["timeout-after-effect", ["timeout-after-effect"]],
    ["timeout-before-effect", ["timeout-before-effect", "executed"]],
  ])(
    "%s is resolved with one effect: queried first, and sent again only if it was not found",
    async (tag, outcomes) => {
      const place = tag.startsWith("timeout") ? impatient : service;
      const body = newSubmission(tag);
      const first = await restSubmit(place.caller(), body);
      expect(first).toMatchObject({ status: 202, body: { status: "PENDING" } });
      const { kycRecordId } = first.body as Result;
      const executed = async () => {
        await endDelays(place);
        return (await place.ledger()).executions.some(({ reference }) => reference === kycRecordId);
      };
      await expect.poll(executed).toBe(true);
      const resolved = await untilApproved(body, place);
      expect(resolved).toMatchObject({ kycRecordId, code: "KYC_SUBMITTED" });
      const { executions } = await place.ledger();
      expect(executions.filter(({ reference }) => reference === kycRecordId)).toHaveLength(1);
      expect(await outcomesOf(kycRecordId, place)).toEqual(outcomes);
    },
  );

  it("an answer about another user stays PENDING, and never shows that answer", async () => {
    const body = newSubmission("mismatched");
    await restSubmit(service.caller(), body);
    const alarms = async () => {
      await endDelays(service);
      return service.lines.filter((line) => line.includes("provider_answer_mismatched")).length;
    };
    await expect.poll(alarms).toBeGreaterThan(1);
    expect(await restSubmit(service.caller(), body)).toMatchObject({
      status: 202,
      body: { status: "PENDING" },
    });
  });
});

it("counts waiting records and attempts, and measures requests and calls to the provider", async () => {
  const body = newSubmission("pending");
  await restSubmit(service.caller(), body);
  const text = await (await service.metrics(new Request("http://127.0.0.1/metrics"))).text();
  for (const series of [
    'kyc_attempts_total{step="send",outcome="answered"}',
    'kyc_records_waiting{resolution="answered",needs_attention="false"}',
    'http_request_duration_seconds_count{route="/openapi/v1/users/kyc",method="POST"}',
    'provider_call_duration_seconds_count{operation="submitKyc"}',
  ]) {
    const line = text.split("\n").find((one) => one.startsWith(`cardbridge_${series} `));
    expect([series, Number(line?.split(" ").at(-1))]).toEqual([
      series,
      expect.toSatisfy((count) => count > 0),
    ]);
  }
  expect(text).not.toContain(body.memberId);
});

it("stores the provider's later decision after a query", async () => {
  const body = newSubmission("none");
  expect(await restSubmit(service.caller(), body)).toMatchObject({
    status: 200,
    body: { status: "PENDING_APPROVAL" },
  });
  expect(await untilApproved(body, service)).toMatchObject({ cardAccountId: expect.stringMatching(/./) });
});
