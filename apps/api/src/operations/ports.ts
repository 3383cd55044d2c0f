import type { Audit, CardProvider, KycRecords, Observer, Users } from "@cardbridge/domain";

/** Everything that operations are given to work with. */
export interface Ports {
  users: Users;
  kycRecords: KycRecords;
  provider: CardProvider;
  observer: Observer;
  audit: Audit;
  ids: Ids;
}

/** Mints ids that have never been used. */
export interface Ids {
  /** `usr_…`, random: says nothing of the user or of time (gap G11). */
  externalUserId(): string;
  /** `kyc_…`, ordered by time (gap G12). */
  kycRecordId(): string;
}
