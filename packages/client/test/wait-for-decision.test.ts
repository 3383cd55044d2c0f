import { describe, expect, it } from "vitest";
import { TimeoutError } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { testClient } from "./support/test-client.ts";
import { json, problem } from "./support/test-fetch.ts";

const record = { kycRecordId: "kyc_1" };
const state = (status: string | null, headers: Record<string, string> = {}, code = "KYC_SUBMITTED") =>
  json({ ...record, status, code }, { headers });
const pending = state("PENDING");
const reasons = [{ code: "SELFIE_MISMATCH", field: "/selfieImageUrl", message: "Send a selfie." }];

it.each([
  ["approved", { status: "APPROVED", code: "KYC_SUBMITTED", renews: null }],
  ["approved", { status: "APPROVED", code: "KYC_SUBMITTED", renews: "kyc_0" }],
  ["rejected", { status: "REJECTED", code: "KYC_SUBMITTED", reasons, final: false }],
  ["rejected", { status: "REJECTED", code: "KYC_SUBMITTED", reasons: [], final: true }],
  ["refused", { status: null, code: "KYC_REFUSED", reasons, final: true }],
])("returns that a record is %s: %j", async (decision, fields) => {
  const { client, requests, waits } = testClient([pending, json({ ...record, ...fields })]);
  expect(await client.kyc.waitForDecision(record)).toEqual({
    decision,
    reasons: [],
    final: false,
    record: { ...record, ...fields },
    ...(decision === "approved" && { renewal: null }),
    ...("reasons" in fields && { reasons: fields.reasons, final: fields.final }),
  });
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(
    Array(2).fill("/openapi/v1/users/kyc/kyc_1"),
  );
  expect(waits).toEqual([0, 750]);
});

it("doubles its delay up to a minute, and continues after unknown statuses", async () => {
  const states = [pending, state(null), state("ON_HOLD"), ...Array(6).fill(state("PENDING_APPROVAL"))];
  const { client, waits } = testClient([...states, state("APPROVED")]);
  await client.kyc.waitForDecision(record);
  expect(waits).toEqual([0, 750, 1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
});

describe("a record with requests", () => {
  const request = (status: string, ...accepts: string[]) => ({
    documentRequestId: `dreq_${status}`,
    status,
    accepts: accepts.map((documentType) => ({ documentType, filePurpose: "supporting_document" })),
  });
  const open = request("open", "BANK_STATEMENT", "UTILITY_BILL");
  const others = [request("open"), request("answered", "SELFIE"), request("closed", "SELFIE")];
  const asking = (status: string | null, requests: object[]) =>
    json({ ...record, status, code: "KYC_SUBMITTED", requests });

  it.each(["PENDING", "PENDING_APPROVAL", "ON_HOLD", null])(
    "ends the wait with the open requests that files answer, with the status %s",
    async (status) => {
      const asked = asking(status, [...others, open]);
      const { client, requests } = testClient([pending, asked]);
      expect(await client.kyc.waitForDecision(record)).toEqual({
        decision: "action-required",
        reasons: [],
        final: false,
        record: await asked.clone().json(),
        requests: [open],
      });
      expect(requests).toHaveLength(2);
    },
  );

  it("continues the wait while no file answers one: it is answered, closed, or needs a person", async () => {
    const { client, waits } = testClient([asking("PENDING_APPROVAL", others), asking("APPROVED", [])]);
    expect(await client.kyc.waitForDecision(record)).toMatchObject({ decision: "approved" });
    expect(waits).toHaveLength(2);
    const waiting = testClient([asking("PENDING_APPROVAL", others)]).client;
    const decided = await waiting.kyc.waitForDecision(record, { timeoutMs: 5_000 });
    expect(decided).toMatchObject({ decision: "pending", record: { requests: others } });
    expect(decided).not.toHaveProperty("requests");
  });

  it.each([
    ["APPROVED", "approved"],
    ["REJECTED", "rejected"],
  ])("is decided although one is open: %s", async (status, decision) => {
    const { client } = testClient([asking(status, [open])]);
    expect(await client.kyc.waitForDecision(record)).toMatchObject({ decision });
  });
});

it("honours Retry-After of the submission and of each response", async () => {
  const [submitted, next] = ["3", "9"].map((seconds) => state("PENDING", { "retry-after": seconds }));
  const { client, waits } = testClient([submitted ?? pending, next ?? pending, state("APPROVED")]);
  const result = await client.kyc.get({ memberId: "erin" });
  await client.kyc.waitForDecision(result);
  expect(waits).toEqual([3_000, 9_000]);
});

it("continues after a retryable error", async () => {
  const { client } = testClient([problem(503, "SERVICE_UNAVAILABLE"), pending, state("APPROVED")], {
    maxRetries: 0,
  });
  expect(await client.kyc.waitForDecision(record)).toMatchObject({ decision: "approved" });
});

describe("the wait ends without a decision", () => {
  it("after an error that is not retryable", async () => {
    const { client } = testClient([problem(404, "KYC_RECORD_NOT_FOUND")]);
    await expect(client.kyc.waitForDecision(record)).rejects.toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
  });

  it.each(["PENDING", "PENDING_APPROVAL", "ON_HOLD", null])(
    "at its deadline: a record with the status %s is pending",
    async (status) => {
      const { client, waits } = testClient([state(status)]);
      expect(await client.kyc.waitForDecision(record, { timeoutMs: 5_000 })).toMatchObject({
        decision: "pending",
        reasons: [],
        final: false,
        record: { ...record, status },
      });
      expect(waits).toEqual([0, 750, 1_500]);
    },
  );

  it("at its deadline, after a last read that failed", async () => {
    const { client } = testClient([pending, new TypeError("fetch failed")], { maxRetries: 0 });
    const decision = await client.kyc.waitForDecision(record, { timeoutMs: 5_000 });
    expect(decision).toMatchObject({ decision: "pending", record: { status: "PENDING" } });
  });

  it("with a timeout, if every read failed", async () => {
    const { client } = testClient([new TypeError("fetch failed")], { maxRetries: 0 });
    const error = await errorOf(client.kyc.waitForDecision(record, { timeoutMs: 5_000 }));
    expect(error).toBeInstanceOf(TimeoutError);
  });

  it("after one read at least, however long the Retry-After of the submission is", async () => {
    const { client, waits } = testClient([state("PENDING", { "retry-after": "60" }), pending]);
    const submitted = await client.kyc.get({ memberId: "erin" });
    const decision = await client.kyc.waitForDecision(submitted, { timeoutMs: 5_000 });
    expect(decision).toMatchObject({ decision: "pending" });
    expect(waits[0]).toBe(2_500);
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
  const answer = { kycRecordId: "kyc_1", documentRequestId: kycRecordId, files: [] };
  await expect(client.kyc.answerRequest(answer)).rejects.toThrow(TypeError);
  await expect(client.webhooks.get({ endpointId: kycRecordId })).rejects.toThrow(TypeError);
  expect(requests).toEqual([]);
});
