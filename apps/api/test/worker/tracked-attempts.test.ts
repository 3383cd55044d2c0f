import { type KycRecord, newRecord } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { trackAttempts } from "../../src/worker/tracked-attempts.ts";
import { fakePorts } from "../support/fakes.ts";

it("passes the report of an attempt with its outcome", async () => {
  const { kycRecords } = fakePorts().ports;
  const stored: unknown[] = [];
  const tracked = trackAttempts({
    ...kycRecords,
    async storeVerdict(...args) {
      stored.push(args);
      return { before: record, record };
    },
    reschedule: async (...args) => void stored.push(args),
  });
  const record: KycRecord = {
    ...newRecord,
    kycRecordId: "kyc_1",
    externalUserId: "usr_1",
    createdAt: new Date(0),
  };
  const report = { step: "ask", outcome: "refused", reason: null, milliseconds: 9, by: "worker" } as const;
  const plan = { step: "ask", notFound: 0, delayMs: 0 } as const;
  await tracked.kycRecords.storeVerdict("plt_1", record, { outcome: "refused" }, report);
  await tracked.kycRecords.reschedule("plt_1", record, plan, report);
  expect(stored).toEqual([
    ["plt_1", record, { outcome: "refused" }, report],
    ["plt_1", record, plan, report],
  ]);
});
