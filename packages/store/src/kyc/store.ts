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
  const { kycRecordId, settlement, status, subStatus, cardAccountId, revision } = record;
  const learned = { platformId, kycRecordId, settlement, status, subStatus, cardAccountId, revision };
  const statements = kycStatements(tx);
  const update = statements.learnVerdict.execute({ ...learned, final: isFinal(record) });
  return source === undefined ? [update] : [update, statements.insertHistory.execute({ ...learned, source })];
}
