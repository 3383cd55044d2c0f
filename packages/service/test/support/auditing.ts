import type { AuditEntry, AuditFile, AuditListQuery, CheckpointReference } from "@cardbridge/domain";
import { createCheckpoint } from "../../src/audit/checkpoint.ts";
import { exportMonth } from "../../src/audit/export.ts";
import { listAudit } from "../../src/audit/list.ts";
import { verifyAuditBatch } from "../../src/audit/verify.ts";
import type { Database } from "../../src/database.ts";
import type { Ports } from "../../src/index.ts";
import { type Audited, appendEntry, auditOutcome } from "../../src/operation/audit.ts";
import { operatorCall } from "./calls.ts";

type ReadEntry = AuditEntry & { subject: string };

/** Appends entries to the audit as operations do. */
export function auditing(database: Database) {
  const appendDone = (declared: Partial<Audited>) => (platformId: string, entry: ReadEntry) => {
    const { actor, requestId, address, operation, subject } = entry;
    const call = { kind: "platform", platformId, scopes: new Set<never>() } as const;
    return auditOutcome(
      database,
      { ...call, actor, requestId, address, operation },
      { audit: ["done"], ...declared },
      { outcome: "done", subject, raw: null },
    );
  };
  return {
    append: async (platformId: string, entry: AuditEntry): Promise<void> => {
      await database.asPlatform(platformId, (tx) => appendEntry(tx, platformId, entry));
    },
    /** In a transaction of its own, as the audit of an outcome. */
    appendDone: appendDone({}),
    appendRead: appendDone({ polled: true }),
    appendHourly: appendDone({ oncePerHour: true }),
  };
}

/** Reads, exports and verifies the audit, and creates checkpoints, by the functions of the service. */
export const auditReading = (ports: Ports) => ({
  /** Lists as an operator at the command line. */
  async list(platforms: readonly string[] | "all", query: Partial<AuditListQuery> = {}) {
    const named = platforms === "all" ? {} : { platformIds: platforms };
    return (await listAudit.execute(ports, operatorCall, { ...query, ...named })).data;
  },
  verify: (platformId: string, from: { after: number; known?: CheckpointReference | undefined }) =>
    verifyAuditBatch(ports, platformId, from),
  checkpoint: (platformId: string, limit: number) => createCheckpoint(ports, platformId, limit),
  exportMonth: (platformId: string, by: { month: string; actor: string }, open: () => Promise<AuditFile>) =>
    exportMonth(ports, platformId, by, open),
});

export type WorldAudit = ReturnType<typeof auditing> & ReturnType<typeof auditReading>;
