import { expect, it } from "vitest";
import { getRecord } from "../../src/records/get.ts";
import { attentionRecord, unknown } from "../support/attention-record.ts";
import { operatorCall } from "../support/calls.ts";

it("shows a record and audits the call for the record's platform", async () => {
  const { ports, audited } = attentionRecord({ found: unknown });
  const { data } = await getRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1" });
  expect(data).toMatchObject({ kycRecordId: "kyc_1", platformId: "plt_1", resolution: "unresolved" });
  expect(audited).toEqual([
    {
      platformId: "plt_1",
      actor: "person:ada",
      requestId: "req_1",
      address: null,
      operation: "records.get",
      subject: "kyc_1",
      outcome: "done",
    },
  ]);
});

it("fails if the audit fails", async () => {
  const { ports } = attentionRecord({ found: unknown });
  ports.audit.append = () => Promise.reject(new Error("unavailable"));
  await expect(getRecord.execute(ports, operatorCall, { kycRecordId: "kyc_1" })).rejects.toThrow(
    "unavailable",
  );
});
