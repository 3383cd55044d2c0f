import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** Unresolved submissions, and the worker that resolves them, with real components. Each test advances the clock. */
let service: Awaited<ReturnType<typeof startTestService>>;
let admin: Client;
const clock = createManualClock();
beforeAll(async () => {
  service = await startTestService({
    events: false,
    sandboxClock: clock,
    overrides: { resolveIntervalMs: 20 },
    // A short timeout for the submissions without a response.
    env: { RUN: "all", PROVIDER_KYC_TIMEOUT_MS: "1000" },
  });
  admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.stop();
});

/** Ends the delays between attempts, so that the worker's next pass makes an attempt. */
const endDelays = () =>
  admin.query("update kyc_records set due_at = now() where lease_until is null and due_at > now()");

describe("a submission that ends in", () => {
  it.each([
    ["error-500", ["error-500", "executed"]],
    ["garbage", ["garbage"]],
    ["timeout-after-effect", ["timeout-after-effect"]],
    ["timeout-before-effect", ["timeout-before-effect", "executed"]],
  ])(
    "%s is resolved with one effect: queried first, and sent again only if it was not found",
    async (tag, outcomes) => {
      const body = newSubmission(tag);
      const first = await restSubmit(service.caller(), body);
      expect(first).toMatchObject({ status: 202, body: { status: "PENDING" } });
      const { kycRecordId } = first.body as { kycRecordId: string };
      const executions = async () =>
        (await service.ledger()).executions.filter(({ reference }) => reference === kycRecordId).length;
      const executed = async () => {
        await endDelays();
        return executions();
      };
      await expect.poll(executed).toBe(1);
      // The provider decides after five seconds of its clock.
      clock.advance(5_000);
      const resolved = async () => {
        await endDelays();
        return (await restSubmit(service.caller(), body)).body;
      };
      await expect.poll(resolved).toMatchObject({ kycRecordId, code: "KYC_SUBMITTED", status: "APPROVED" });
      expect(await executions()).toBe(1);
      const { attempts } = await service.ledger();
      const own = attempts.filter(({ reference }) => reference === kycRecordId);
      expect(own.map(({ outcome }) => outcome)).toEqual(outcomes);
    },
  );

  it("an answer about another user stays PENDING, and never shows that answer", async () => {
    const body = newSubmission("mismatched");
    await restSubmit(service.caller(), body);
    const alarms = async () => {
      await endDelays();
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
    const line = text.split("\n").find((one) => one.startsWith(`cardbridge_${series} `)) ?? "";
    expect([series, Number(line.split(" ").at(-1))]).not.toEqual([series, 0]);
  }
  expect(text).not.toContain(body.memberId);
});
