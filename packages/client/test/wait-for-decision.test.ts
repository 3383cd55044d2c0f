import { describe, expect, it } from "vitest";
import { TimeoutError } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { testClient } from "./support/test-client.ts";
import { json, problem } from "./support/test-fetch.ts";

const record = { kycRecordId: "kyc_1" };
const state = (status: string | null, headers: Record<string, string> = {}, code = "KYC_SUBMITTED") =>
  json({ ...record, status, code }, { headers });
const pending = state("PENDING");

it.each([state("APPROVED"), state("REJECTED"), state(null, {}, "KYC_REFUSED")])(
  "returns each decision",
  async (decision) => {
    const { client, requests, waits } = testClient([pending, decision]);
    expect(await client.kyc.waitForDecision(record)).toEqual(await decision.clone().json());
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(
      Array(2).fill("/openapi/v1/users/kyc/kyc_1"),
    );
    expect(waits).toEqual([0, 750]);
  },
);

it("doubles its delay up to a minute, and continues after unknown statuses", async () => {
  const states = [pending, state(null), state("ON_HOLD"), ...Array(6).fill(state("PENDING_APPROVAL"))];
  const { client, waits } = testClient([...states, state("APPROVED")]);
  await client.kyc.waitForDecision(record);
  expect(waits).toEqual([0, 750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
});

it("honours Retry-After of the submission and of each response", async () => {
  const submitted = state("PENDING", { "retry-after": "3" });
  const { client, waits } = testClient([
    submitted,
    state("PENDING", { "retry-after": "9" }),
    state("APPROVED"),
  ]);
  const result = await client.kyc.get({ memberId: "erin" });
  await client.kyc.waitForDecision(result);
  expect(waits).toEqual([3_000, 9_000]);
});

it("continues after a retryable error", async () => {
  const { client } = testClient([problem(503, "SERVICE_UNAVAILABLE"), pending, state("APPROVED")], {
    maxRetries: 0,
  });
  expect(await client.kyc.waitForDecision(record)).toMatchObject({ status: "APPROVED" });
});

describe("the wait ends without a decision", () => {
  it("after an error that is not retryable", async () => {
    const { client } = testClient([problem(404, "KYC_RECORD_NOT_FOUND")]);
    await expect(client.kyc.waitForDecision(record)).rejects.toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
  });

  it("at its deadline", async () => {
    const { client, waits } = testClient([pending]);
    expect(await errorOf(client.kyc.waitForDecision(record, { timeoutMs: 5_000 }))).toBeInstanceOf(
      TimeoutError,
    );
    expect(waits).toEqual([0, 750, 1_500]);
  });

  it("when its signal aborts", async () => {
    const controller = new AbortController();
    const { client, requests } = testClient([
      () => {
        queueMicrotask(() => controller.abort());
        return pending.clone();
      },
    ]);
    const wait = client.kyc.waitForDecision(record, { signal: controller.signal });
    await expect(wait).rejects.toMatchObject({ kind: "aborted" });
    expect(requests).toHaveLength(1);
  });
});

it.each(["", ".", ".."])("rejects the id %j, which would change the path", async (kycRecordId) => {
  const { client, requests } = testClient([pending]);
  await expect(client.kyc.history({ kycRecordId })).rejects.toThrow(TypeError);
  expect(requests).toEqual([]);
});
