import { expect, it } from "vitest";
import type { KycSubmission } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { testClient } from "./support/test-client.ts";
import { json } from "./support/test-fetch.ts";

const submission: object = { memberId: "erin" };
const decide = (replies: Parameters<typeof testClient>[0], options?: object) => {
  const { client, requests, ...time } = testClient(replies);
  const decision = client.kyc.decide(submission as KycSubmission, options);
  return { decision, requests, ...time };
};
const kycRecordId = "kyc_1";
const submitted = json({ kycRecordId, code: "KYC_ACCEPTED", status: "PENDING" }, { status: 202 });
const record = (fields: object) => ({ kycRecordId, code: "KYC_SUBMITTED", ...fields });
const failure = (status: number, code: string, fields: object = { kycRecordId }) =>
  json({ code, message: "m", errors: [], ...fields }, { status });

it("submits, and reads the record until it is decided", async () => {
  const approved = record({ status: "APPROVED" });
  const { decision, requests } = decide([submitted, json(record({ status: "PENDING" })), json(approved)]);
  const decided = { decision: "approved", reasons: [], final: false, record: approved, renewal: null };
  expect(await decision).toEqual(decided);
  expect(requests.map(({ url, init }) => [init.method, new URL(url).pathname])).toEqual([
    ["POST", "/openapi/v1/users/kyc"],
    ["GET", "/openapi/v1/users/kyc/kyc_1"],
    ["GET", "/openapi/v1/users/kyc/kyc_1"],
  ]);
});

it("returns the record of a refusal", async () => {
  const reasons = [{ code: "DOCUMENT_EXPIRED", field: null, message: "Send a valid document." }];
  const refused = record({ code: "KYC_REFUSED", status: null, reasons, final: true });
  const { decision } = decide([failure(422, "KYC_REFUSED"), json(refused)]);
  expect(await decision).toEqual({ decision: "refused", reasons, final: true, record: refused });
});

it("ends when the provider asks for a document", async () => {
  const asked = { documentRequestId: "dreq_1", status: "open", accepts: [{ documentType: "SELFIE" }] };
  const { decision } = decide([submitted, json(record({ status: "PENDING_APPROVAL", requests: [asked] }))]);
  expect(await decision).toMatchObject({ decision: "action-required", requests: [asked] });
});

it.each(["APPROVED", "PENDING_APPROVAL", "REJECTED"])(
  "returns a conflict for another body, and does not wait for the earlier record, which is %s",
  async (status) => {
    const earlier = record({ status });
    const { decision, requests } = decide([failure(409, "KYC_ALREADY_SUBMITTED"), json(earlier)]);
    expect(await decision).toEqual({ decision: "conflict", reasons: [], final: false, record: earlier });
    expect(requests).toHaveLength(2);
  },
);

it.each([
  [400, "INVALID_INPUT"],
  [409, "USER_IDENTITY_CONFLICT"],
  [422, "IDEMPOTENCY_KEY_REUSED"],
])("throws every other error: %i %s", async (status, code) => {
  const { decision, requests } = decide([failure(status, code)]);
  expect(await errorOf(decision)).toMatchObject({ kind: "problem", code });
  expect(requests).toHaveLength(1);
});

it("keeps the stored record if no read succeeds in time", async () => {
  const unavailable = () => json({}, { status: 503, headers: { "retry-after": "4" } });
  const { decision } = decide([submitted, unavailable(), unavailable()], { timeoutMs: 5_000 });
  const result = { kycRecordId, code: "KYC_ACCEPTED", status: "PENDING" };
  const unread = { documentExpiry: null, renews: null, requests: [], history: [] };
  const stored = { ...result, memberId: "erin", ...unread };
  expect(await decision).toEqual({ decision: "pending", reasons: [], final: false, record: stored });
});

it("is no rejection if no read succeeds in time: the approval that the record renews may stand", async () => {
  const unavailable = json({}, { status: 503, headers: { "retry-after": "4" } });
  const { decision } = decide([json(record({ status: "REJECTED" })), unavailable], { timeoutMs: 5_000 });
  expect(await errorOf(decision)).toMatchObject({ kind: "timeout" });
});

it("counts the time of the submission", async () => {
  const unavailable = json({}, { status: 503, headers: { "retry-after": "4" } });
  const pending = json(record({ status: "PENDING_APPROVAL" }));
  const { decision, waits } = decide([unavailable, submitted, pending], { timeoutMs: 5_000 });
  expect(await decision).toMatchObject({ decision: "pending" });
  expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThan(5_000);
});

it("sends the caller's Idempotency-Key and honours the caller's signal", async () => {
  const { decision, requests } = decide([submitted, json(record({ status: "APPROVED" }))], {
    idempotencyKey: "mine",
  });
  await decision;
  expect(requests[0]?.headers.get("idempotency-key")).toBe("mine");
  const aborted = decide([submitted], { signal: AbortSignal.abort() });
  expect(await errorOf(aborted.decision)).toMatchObject({ kind: "aborted" });
});
