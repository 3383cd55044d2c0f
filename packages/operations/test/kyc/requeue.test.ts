import type { AskedSubmission, KycRecords } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { requeueRecord } from "../../src/kyc/requeue.ts";
import { fakePorts } from "../support/fake-ports.ts";

/** Sends an event to ask about something, where the store has this result. */
async function ask(about: AskedSubmission, result: Awaited<ReturnType<KycRecords["requeue"]>>) {
  const { ports, observed } = fakePorts();
  const asked: unknown[] = [];
  ports.kycRecords.requeue = async (named) => {
    asked.push(named);
    return result;
  };
  const outcome = await requeueRecord(ports, about).then(
    () => "asked",
    ({ code, details }) => ({ code, retryAfterSeconds: details.retryAfterSeconds }),
  );
  return { outcome, asked, observed };
}

describe("a reason to ask", () => {
  it.each([
    { reference: "kyc_1", userReference: "usr_1" },
    { step: "create", id: "holder_1" },
  ])("makes the record due that it names: %j", async (about) => {
    const { outcome, asked } = await ask(about, { kycRecordId: "kyc_1", state: "due" });
    expect(outcome).toBe("asked");
    expect(asked).toEqual([about]);
  });

  it("comes again while an attempt runs", async () => {
    const about = { step: "create", id: "holder_1" };
    const { outcome } = await ask(about, { kycRecordId: "kyc_1", state: "leased" });
    expect(outcome).toEqual({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 5 });
  });

  it("about an unknown submission is observed and refused", async () => {
    const { outcome, observed } = await ask({ step: "create", id: "holder_1" }, null);
    expect(outcome).toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
    expect(observed).toContainEqual([
      "provider_answer_mismatched",
      { operation: "event", reason: "mismatched" },
    ]);
  });
});
