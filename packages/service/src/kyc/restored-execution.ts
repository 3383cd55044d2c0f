/** The ids of an execution that a restored database forgot. */
export interface RestoredIds {
  kycRecordId: string;
  externalUserId: string;
}

/**
 * The provider executed this submission before the database was restored (G40). The record gets the ids of that
 * execution, so that the provider repeats its result.
 */
export class RestoredExecution extends Error {
  override readonly name = "RestoredExecution";
  readonly ids: RestoredIds;

  constructor(ids: RestoredIds) {
    super();
    this.ids = ids;
  }
}
