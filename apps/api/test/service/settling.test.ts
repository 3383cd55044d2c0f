import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { until } from "../support/until.ts";

/** Unsettled submissions, and the worker that settles them, with real parts. */
type World = Awaited<ReturnType<typeof startTestService>>;
let service: World;
/** A service with a provider timeout of one second. */
let impatient: World;
beforeAll(async () => {
  const start = (ms: string) =>
    startTestService({ events: false, env: { RUN: "all", PROVIDER_KYC_TIMEOUT_MS: ms } });
  [service, impatient] = await Promise.all([start("60000"), start("1000")]);
});
afterAll(() => Promise.all([service.stop(), impatient.stop()]));

interface Result {
  kycRecordId: string;
  code: string;
  status: string | null;
}

/** Repeats the submission until it has this status. */
async function untilSettled(body: unknown, status: string, { caller }: World = service): Promise<Result> {
  const result = async () => (await restSubmit(caller(), body)).body as Result;
  // Concurrent tests cannot use expect.poll, which needs a single running test.
  await until(async () => (await result()).status === status);
  return result();
}

describe.concurrent("a submission that ends in", () => {
  it.each([
    ["error-500", ["error-500", "executed"]],
    ["garbage", ["garbage"]],
    ["timeout-after-effect", ["timeout-after-effect"]],
    ["timeout-before-effect", ["timeout-before-effect", "executed"]],
  ])(
    "%s is settled with one effect: asked first, and sent again only when it was not found",
    async (tag, outcomes) => {
      const place = tag.startsWith("timeout") ? impatient : service;
      const body = newSubmission(tag);
      const first = await restSubmit(place.caller(), body);
      expect(first).toMatchObject({ status: 202, body: { status: "PENDING" } });
      const { kycRecordId } = first.body as Result;

      const settled = await untilSettled(body, "APPROVED", place);
      expect(settled).toMatchObject({ kycRecordId, code: "KYC_SUBMITTED" });
      const { executions, attempts } = await place.ledger();
      expect(executions.filter(({ reference }) => reference === kycRecordId)).toHaveLength(1);
      expect(
        attempts.filter(({ reference }) => reference === kycRecordId).map(({ outcome }) => outcome),
      ).toEqual(outcomes);
    },
  );

  it("an answer about another user is never shown, and the record stays PENDING", async () => {
    const body = newSubmission("foreign");
    await restSubmit(service.caller(), body);
    const alarms = () => service.lines.filter((line) => line.includes("provider_foreign_answer")).length;
    await until(() => alarms() > 1);
    expect(await restSubmit(service.caller(), body)).toMatchObject({
      status: 202,
      body: { status: "PENDING" },
    });
  });
});

it("counts waiting records and attempts", async () => {
  const body = newSubmission("pending");
  await restSubmit(service.caller(), body);
  const text = await (await service.metrics(new Request("http://127.0.0.1/metrics"))).text();
  expect(text).toMatch(/^cardbridge_kyc_attempts_total\{step="send",outcome="answered"\} [1-9]/m);
  expect(text).toMatch(/^cardbridge_kyc_records_waiting\{settlement="answered",held="false"\} [1-9]/m);
  expect(text).not.toContain(body.memberId);
  expect(text).not.toContain("@");
});

it("learns the provider's later decision by asking", async () => {
  const body = newSubmission("none");
  expect(await restSubmit(service.caller(), body)).toMatchObject({
    status: 200,
    body: { status: "PENDING_APPROVAL" },
  });
  expect(await untilSettled(body, "APPROVED")).toMatchObject({ cardAccountId: expect.stringMatching(/./) });
});
