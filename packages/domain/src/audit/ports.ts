import type { AuditEntry, AuditSeal, ListedAuditEntry } from "./entry.ts";
import type { AuditVerified, SealReference } from "./inputs.ts";

/** The audit of platforms: entries that are only ever added, and seals that show whether any was changed. */
export interface Audit {
  /**
   * Adds an entry in a transaction of its own, committed on return. What a repository does and audits in one
   * transaction needs none.
   * @throws Failure SERVICE_UNAVAILABLE for every failure: what cannot be audited must not happen.
   */
  append(platformId: string, entry: AuditEntry): Promise<void>;
  /** A platform's newest entries, the newest first. */
  list(platformId: string, limit: number): Promise<ListedAuditEntry[]>;
  /** Verifies the next seals of a platform behind the seal `after`, and the entries under them. */
  verify(
    platformId: string,
    from: { after: number; known?: SealReference | undefined },
  ): Promise<AuditVerified>;
  /** The platforms that have unsealed entries, each with the age of its oldest one. */
  unsealed(): Promise<{ platformId: string; oldestSeconds: number }[]>;
  /**
   * Seals up to `limit` of a platform's oldest unsealed entries. Null where none can be sealed yet, or another
   * process seals them at this moment.
   */
  seal(platformId: string, limit: number): Promise<AuditSeal | null>;
}
