import { isFinal, type KycHistoryEntry, type KycRecord } from "@cardbridge/domain";
import type { Tx } from "../statements.ts";
import { kycStatements } from "./statements.ts";

interface Change {
  platformId: string;
  record: KycRecord;
  /** How the change became known; undefined where the state did not change. */
  source: KycHistoryEntry["source"] | undefined;
}

/** Writes a record's state and its next due time, with the history row of a change. */
export function writeChange(tx: Tx, { platformId, record, source }: Change): Promise<unknown>[] {
  const statements = kycStatements(tx);
  const state = stateOf(platformId, record);
  const update = statements.updateRecord.execute(state);
  return source === undefined ? [update] : [update, statements.insertHistory.execute({ ...state, source })];
}

/** Writes the provider's answer where the record is still `known`; returns no row where it was changed. */
export function writeIfUnchanged(
  tx: Tx,
  platformId: string,
  known: KycRecord,
  changed: KycRecord,
): Promise<unknown[]> {
  const { attempt, settlement: knownSettlement, revision: knownRevision } = known;
  const condition = { attempt, knownSettlement, knownRevision };
  const state = stateOf(platformId, changed);
  return kycStatements(tx).updateIfUnchanged.execute({ ...state, ...condition, source: "provider" });
}

function stateOf(platformId: string, record: KycRecord) {
  const { kycRecordId, settlement, status, subStatus, cardAccountId, revision } = record;
  const final = isFinal(record);
  return { platformId, kycRecordId, settlement, status, subStatus, cardAccountId, revision, final };
}
