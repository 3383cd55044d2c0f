import { isFinal, type KycHistoryEntry, type KycRecord } from "@cardbridge/domain";
import type { Tx } from "../statements.ts";
import { kycStatements } from "./statements.ts";

interface Stored {
  platformId: string;
  record: KycRecord;
  /** How a change became known; undefined where nothing changed. */
  source: KycHistoryEntry["source"] | undefined;
}

/** Writes a record's state with its next look, and the history row of a change. */
export function store(tx: Tx, { platformId, record, source }: Stored): Promise<unknown>[] {
  const statements = kycStatements(tx);
  const learned = stateOf(platformId, record);
  const update = statements.updateRecord.execute(learned);
  return source === undefined ? [update] : [update, statements.insertHistory.execute({ ...learned, source })];
}

/** The same for what the provider answered, where the record is still as it is known; no row where it is not. */
export function storeIfUnchanged(
  tx: Tx,
  platformId: string,
  known: KycRecord,
  learned: KycRecord,
): Promise<unknown[]> {
  const { attempt, settlement: knownSettlement, revision: knownRevision } = known;
  const wanted = { attempt, knownSettlement, knownRevision, source: "provider" };
  return kycStatements(tx).updateIfUnchanged.execute({ ...stateOf(platformId, learned), ...wanted });
}

function stateOf(platformId: string, record: KycRecord) {
  const { kycRecordId, settlement, status, subStatus, cardAccountId, revision } = record;
  const final = isFinal(record);
  return { platformId, kycRecordId, settlement, status, subStatus, cardAccountId, revision, final };
}
