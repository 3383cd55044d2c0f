import type { AskedSubmission, KycRecords } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { requeueRecord } from "../../src/kyc/requeue.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Requeues a record. The store returns `result`. */
async function requeue(about: AskedSubmission, result: Awaited<ReturnType<KycRecords["requeue"]>>) {
  const { ports, observed } = fakePorts();
  const requeued: unknown[] = [];
  ports.kycRecords.requeue = async (named) => {
    requeued.push(named);
    return result;
  };
  const outcome = await requeueRecord(ports, about).then(
    () => "requeued",
    ({ code, details }) => ({ code, retryAfterSeconds: details.retryAfterSeconds }),
  );
  return { outcome, requeued, observed };
}

describe("a provider event without an order", () => {
  it.each([
    { reference: "kyc_1", userReference: "usr_1" },
    { step: "create", id: "holder_1" },
  ])("makes its record due: %j", async (about) => {
    const { outcome, requeued } = await requeue(about, { kycRecordId: "kyc_1", state: "due" });
    expect(outcome).toBe("requeued");
    expect(requeued).toEqual([about]);
  });

  it("is rejected with Retry-After while an attempt is active", async () => {
    const about = { step: "create", id: "holder_1" };
    const { outcome } = await requeue(about, { kycRecordId: "kyc_1", state: "leased" });
    expect(outcome).toEqual({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 5 });
  });

  it("is observed and rejected if its submission is unknown", async () => {
    const { outcome, observed } = await requeue({ step: "create", id: "holder_1" }, null);
    expect(outcome).toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
    expect(observed).toContainEqual([
      "provider_answer_mismatched",
      { operation: "event", reason: "mismatched" },
    ]);
  });
});
