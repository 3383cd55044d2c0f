import type { AuditEntry } from "@cardbridge/domain";
import type { Database } from "../../src/database.ts";
import { type Audited, appendEntry, auditOutcome } from "../../src/operation/audit.ts";

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
    appendRead: appendDone({ polled: true }),
    appendHourly: appendDone({ oncePerHour: true }),
  };
}
