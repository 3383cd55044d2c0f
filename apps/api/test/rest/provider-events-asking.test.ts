import type { AskedSubmission, KycRecords, ProviderEvent } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createFairSemaphore, type FairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { createEventsApp } from "../../src/rest/provider-events.ts";
import { fakePorts } from "../support/fakes.ts";

/** Sends an event that makes the service query the provider. The store returns `result`. */
async function send(
  about: AskedSubmission,
  result: Awaited<ReturnType<KycRecords["requeue"]>>,
  acceptedStatus: 200 | 204 = 204,
) {
  const { ports } = fakePorts();
  const asked: AskedSubmission[] = [];
  ports.kycRecords.requeue = async (named) => {
    asked.push(named);
    return result;
  };
  const event: ProviderEvent = { kind: "ask", about };
  const taken: string[] = [];
  const slots: Pick<FairSemaphore, "run"> = {
    run(holder, work) {
      taken.push(holder);
      return work();
    },
  };
  const reader = { acceptedStatus, signedHeaders: [], read: () => event };
  const app = createEventsApp({
    reader,
    ports,
    slots: { "event-bodies": createFairSemaphore({ capacity: 1 }), "provider-requests": slots },
  });
  app.onError((error, c) => c.json({ code: "code" in error ? error.code : error.message }, 500));
  const response = await app.request("/", { method: "POST", body: "{}" });
  return { status: response.status, body: await response.text(), asked, taken };
}

const about = { step: "create", id: "holder_1" };

it("an event without an order makes the record due", async () => {
  const { status, asked } = await send(about, { kycRecordId: "kyc_1", state: "due" });
  expect(status).toBe(204);
  expect(asked).toEqual([about]);
});

it("an event takes one of the slots that no platform can use", async () => {
  const { taken } = await send(about, { kycRecordId: "kyc_1", state: "due" });
  expect(taken).toEqual(["internal"]);
});

it("an event is accepted with the status that the provider expects", async () => {
  expect((await send(about, { kycRecordId: "kyc_1", state: "due" }, 200)).status).toBe(200);
});

it.each([
  [{ kycRecordId: "kyc_1", state: "leased" } as const, "SERVICE_UNAVAILABLE"],
  [null, "KYC_RECORD_NOT_FOUND"],
])("an event whose record is %j fails with %s, so that the provider repeats it", async (result, code) => {
  expect((await send(about, result)).body).toBe(JSON.stringify({ code }));
});
