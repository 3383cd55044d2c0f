import type { LegalHold } from "./hold.ts";

/** A hold of a user, or of the record `kycRecordId`. */
export interface NewHold {
  holdId: string;
  externalUserId?: string | undefined;
  kycRecordId?: string | undefined;
  reference: string;
  until: string | null;
  /** The actor, as in the audit. */
  placedBy: string;
}

/** Legal holds. The database skips what an active hold covers when it erases users and sweeps old rows (G39). */
export interface Holds {
  /** Null if the platform has no such user or record. An erased user can be held: it keeps what remains of them. */
  place(platformId: string, hold: NewHold): Promise<LegalHold | null>;
  /** Null if the platform has no such hold. */
  find(platformId: string, holdId: string): Promise<LegalHold | null>;
  /** Lifts a hold; a lifted hold stays unchanged. Null if the platform has no such hold. */
  lift(platformId: string, holdId: string, liftedBy: string): Promise<LegalHold | null>;
  /** Newest first. */
  list(
    platformId: string,
    filter: { externalUserId?: string | undefined; active?: true | undefined; limit: number },
  ): Promise<LegalHold[]>;
}
