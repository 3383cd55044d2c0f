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
  /** Lists a platform's latest entries, newest first. */
  list(platformId: string, limit: number): Promise<ListedAuditEntry[]>;
  /** Lists a platform's committed entries about any of these subjects, oldest first, in batches. */
  about(platformId: string, subjects: readonly string[]): AsyncIterable<ListedAuditEntry[]>;
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
