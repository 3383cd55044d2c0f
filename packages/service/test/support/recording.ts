import type { AuditOrigin, ManualDecision, NewNote, RecordChange } from "@cardbridge/domain";
import { pipelineCommit } from "../../src/database.ts";
import type { Ports } from "../../src/index.ts";
import { platformOf } from "../../src/operation/platform-of.ts";
import { applyDecision } from "../../src/records/apply-decision.ts";
import { assignRecord } from "../../src/records/assign.ts";
import { readAttempts } from "../../src/records/attempts.ts";
import { leaseManually, type ManualStep } from "../../src/records/manual-attempt.ts";
import { readRecord } from "../../src/records/record.ts";
import { operatorCall } from "./calls.ts";
import { aCaller } from "./world.ts";

interface Resolution {
  decision: ManualDecision;
  version?: string | undefined;
  note?: NewNote | undefined;
}

/** What operators do with records, by their ids alone. */
export function recording(ports: Ports) {
  const { database } = ports;
  async function platformOfRecord(kycRecordId: string): Promise<string> {
    const platformId = await platformOf(database, "record", kycRecordId);
    if (platformId === null) throw new Error(`There is no record ${kycRecordId}.`);
    return platformId;
  }
  return {
    show: async (kycRecordId: string) => readRecord(ports, await platformOfRecord(kycRecordId), kycRecordId),
    attempts: async (kycRecordId: string) =>
      readAttempts(database, await platformOfRecord(kycRecordId), kycRecordId),
    assign: (kycRecordId: string, assignee: string | null, version = 0) =>
      assignRecord.execute(ports, operatorCall, { kycRecordId, assignee, version }),
    lease: async (kycRecordId: string, manual: ManualStep, by: AuditOrigin = aCaller) =>
      leaseManually(ports, await platformOfRecord(kycRecordId), kycRecordId, { ...manual, by }),
    /** `changed` for a record of another version. */
    async resolve(kycRecordId: string, resolution: Resolution, by: AuditOrigin = aCaller) {
      const platformId = await platformOfRecord(kycRecordId);
      const { ring } = await ports.personalDataKeys();
      return database.asPlatform<RecordChange | "changed">(platformId, async (tx) => {
        const resolved = await applyDecision(tx, ring, { platformId, kycRecordId, ...resolution, by });
        if (resolved === "changed") return resolved;
        const { statements, before, record } = resolved;
        return pipelineCommit(statements, () => ({ before, record }));
      });
    },
  };
}
