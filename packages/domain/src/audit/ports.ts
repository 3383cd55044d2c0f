import type { AuditCheckpoint, AuditEntry, ListedAuditEntry } from "./entry.ts";
import type { AuditVerified, CheckpointReference } from "./inputs.ts";

/** The append-only audit of each platform, with checkpoints that detect changed entries. */
export interface Audit {
  /**
   * Appends an entry in its own transaction, committed on return. A repository that audits in the transaction of
   * its change does not call this.
   * @throws Failure SERVICE_UNAVAILABLE for every failure: an operation fails if its audit fails.
   */
  append(platformId: string, entry: AuditEntry): Promise<void>;
  /**
   * Audits a read that the same key from the same address may repeat often: appends the first one of a day (UTC), and
   * counts the others. Commits and throws as `append` does.
   */
  appendRead(platformId: string, entry: AuditEntry & { subject: string }): Promise<void>;
  /**
   * Replaces up to `limit` counts of reads by audit entries, a day after their day ended; returns their number. Works
   * across platforms.
   */
  writeReadCounts(limit: number): Promise<number>;
  /** Lists a platform's latest entries, newest first. */
  list(platformId: string, limit: number): Promise<ListedAuditEntry[]>;
  /** Verifies the platform's checkpoints that follow the checkpoint `after`, and the entries under them. */
  verify(
    platformId: string,
    from: { after: number; known?: CheckpointReference | undefined },
  ): Promise<AuditVerified>;
  /** Lists the platforms with pending entries, and the age of the oldest one in seconds. */
  pending(): Promise<{ platformId: string; oldestSeconds: number }[]>;
  /**
   * Creates a checkpoint over up to `limit` of a platform's oldest pending entries. Returns null if no entry is ready,
   * or if another process is creating a checkpoint for the platform.
   */
  checkpoint(platformId: string, limit: number): Promise<AuditCheckpoint | null>;
}
