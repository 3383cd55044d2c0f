import { describe, expect, it } from "vitest";
import { createClient, type KycSubmission } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { testClient } from "./support/test-client.ts";
import { json, problem } from "./support/test-fetch.ts";
import { testRuntime } from "./support/test-runtime.ts";

/* The record kyc_2 renews the approval kyc_1 of the user erin. */
const approval = { kycRecordId: "kyc_1", memberId: "erin", code: "KYC_SUBMITTED", status: "APPROVED" };
const renewal = (status: string | null, fields: object = {}) => ({
  ...{ kycRecordId: "kyc_2", memberId: "erin", code: "KYC_SUBMITTED", status, renews: "kyc_1" },
  ...fields,
});

/**
 * A client of a service on which the readings of kyc_2 are these, one after another, and the user has this current
 * record.
 */
function connect(renewals: (object | Response)[], current: object = approval) {
  const paths: string[] = [];
  const left = [...renewals];
  const reply = (found: object | Response | undefined) =>
    found instanceof Response ? found.clone() : json(found ?? {});
  const { runtime, waits } = testRuntime();
  const { kyc } = createClient({
    baseUrl: "https://cards.example.com",
    apiKey: "cb_test_key",
    runtime,
    async fetch(address, init) {
      const { pathname, search } = new URL(address);
      paths.push(`${init.method} ${pathname.replace("/openapi/v1/users", "")}${search}`);
      if (init.method === "POST") return json(renewal("PENDING"), { status: 202 });
      if (search) return reply({ ...current, renewal: null });
      if (pathname.endsWith("kyc_2")) return reply(left.length > 1 ? left.shift() : left[0]);
      return reply(current);
    },
  });
  return { kyc, paths, waits };
}

const submission = { memberId: "erin" } as KycSubmission;
const reasons = [{ code: "DOCUMENT_UNREADABLE", field: "/frontImageUrl", message: "Send a readable image." }];
const asked = { documentRequestId: "dreq_1", status: "open", accepts: [{ documentType: "SELFIE" }] };

describe("decide and waitForDecision of a renewal", () => {
  it.each([
    ["rejected", renewal("REJECTED", { reasons, final: true }), { reasons, final: true }],
    ["refused", renewal(null, { code: "KYC_REFUSED", reasons }), { reasons, final: false }],
    ["action-required", renewal("PENDING_APPROVAL", { requests: [asked] }), { requests: [asked] }],
  ])("stay approved and have the renewal, which is %s", async (decision, record, fields) => {
    const expected = {
      decision: "approved",
      reasons: [],
      final: false,
      record: approval,
      renewal: { decision, record, ...fields },
    };
    const decided = connect([renewal("PENDING"), record]);
    expect(await decided.kyc.decide(submission)).toMatchObject(expected);
    const waited = connect([record]);
    expect(await waited.kyc.waitForDecision({ kycRecordId: "kyc_2" })).toMatchObject(expected);
    expect(waited.paths).toEqual(["GET /kyc/kyc_2", "GET /kyc?memberId=erin", "GET /kyc/kyc_1"]);
  });

  it("return the renewal as the approval, once it is approved", async () => {
    const approved = renewal("APPROVED");
    const { kyc, waits } = connect([renewal("PENDING_APPROVAL"), approved]);
    expect(await kyc.decide(submission)).toEqual({
      decision: "approved",
      reasons: [],
      final: false,
      record: approved,
      renewal: null,
    });
    expect(waits).toEqual([0, 750]);
  });

  it("wait for it until the deadline, and return it undecided", async () => {
    const pending = renewal("PENDING_APPROVAL");
    const { kyc, waits } = connect([pending]);
    expect(await kyc.waitForDecision({ kycRecordId: "kyc_2" }, { timeoutMs: 5_000 })).toMatchObject({
      decision: "approved",
      record: approval,
      renewal: { decision: "pending", record: pending },
    });
    expect(waits).toEqual([0, 750, 1_500]);
  });

  it.each([
    ["was revoked", { ...approval, status: "REJECTED" }],
    ["never stood again after a renewal that was revoked", renewal("REJECTED")],
    ["has a status that the client does not know", { ...approval, status: "ON_HOLD" }],
  ])("are what became of the record, if the approval %s", async (_, current) => {
    const { kyc } = connect([renewal("REJECTED", { reasons })], current);
    const decided = await kyc.decide(submission);
    expect(decided).toMatchObject({ decision: "rejected", reasons, record: { kycRecordId: "kyc_2" } });
    expect(decided).not.toHaveProperty("renewal");
    const waiting = connect([renewal("PENDING")], current);
    const pending = await waiting.kyc.waitForDecision({ kycRecordId: "kyc_2" }, { timeoutMs: 5_000 });
    expect(pending).toMatchObject({ decision: "pending", record: { kycRecordId: "kyc_2" } });
  });

  it("return the approval that stands now, which may be that of a later renewal", async () => {
    const later = { ...approval, kycRecordId: "kyc_3", renews: "kyc_1" };
    const { kyc } = connect([renewal("REJECTED")], later);
    expect(await kyc.waitForDecision({ kycRecordId: "kyc_2" })).toMatchObject({
      decision: "approved",
      record: later,
      renewal: { decision: "rejected" },
    });
  });

  it("look for no approval of an erased user", async () => {
    const { kyc, paths } = connect([renewal("REJECTED", { memberId: null })]);
    expect(await kyc.waitForDecision({ kycRecordId: "kyc_2" })).toMatchObject({ decision: "rejected" });
    expect(paths).toEqual(["GET /kyc/kyc_2"]);
  });
});

it("a read of the approval that fails for a while does not end the wait", async () => {
  const { client, requests } = testClient(
    [
      json(renewal("REJECTED")),
      problem(503, "SERVICE_UNAVAILABLE"),
      json(renewal("REJECTED")),
      json(approval),
      problem(503, "SERVICE_UNAVAILABLE"),
      json(renewal("REJECTED")),
      json(approval),
      json(approval),
    ],
    { maxRetries: 0 },
  );
  const decided = await client.kyc.waitForDecision({ kycRecordId: "kyc_2" });
  expect(decided).toMatchObject({ decision: "approved", renewal: { decision: "rejected" } });
  expect(requests).toHaveLength(8);
});

it("the reads of the approval end at the deadline of the wait", async () => {
  const { client, requests, advance } = testClient([json(renewal("REJECTED")), "hang"]);
  const decided = errorOf(client.kyc.waitForDecision({ kycRecordId: "kyc_2" }, { timeoutMs: 5_000 }));
  await expect.poll(() => requests.length).toBe(2);
  advance(5_000);
  expect(await decided).toMatchObject({ kind: "timeout" });
});
