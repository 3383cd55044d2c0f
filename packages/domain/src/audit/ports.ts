import type { AuditEntry, AuditSeal, ListedAuditEntry } from "./entry.ts";
import type { AuditVerified, SealReference } from "./inputs.ts";

/** The append-only audit of each platform, with seals that detect changed entries. */
export interface Audit {
  /**
   * Appends an entry in its own transaction, committed on return. A repository that audits in the transaction of
   * its change does not call this.
   * @throws Failure SERVICE_UNAVAILABLE for every failure: an operation fails if its audit fails.
   */
  append(platformId: string, entry: AuditEntry): Promise<void>;
  /** Lists a platform's latest entries, newest first. */
  list(platformId: string, limit: number): Promise<ListedAuditEntry[]>;
  /** Verifies the platform's seals that follow the seal `after`, and the entries under them. */
  verify(
    platformId: string,
    from: { after: number; known?: SealReference | undefined },
  ): Promise<AuditVerified>;
  /** Lists the platforms with unsealed entries, and the age of the oldest one in seconds. */
  unsealed(): Promise<{ platformId: string; oldestSeconds: number }[]>;
  /**
   * Seals up to `limit` of a platform's oldest unsealed entries. Returns null if no entry can be sealed yet, or if
   * another process is sealing them.
   */
  seal(platformId: string, limit: number): Promise<AuditSeal | null>;
}
