import {
  type AttemptReport,
  isDeclined,
  isFinal,
  type KycChange,
  type KycRecord,
  type KycVerdict,
} from "@cardbridge/domain";
import { requireRow } from "../database/require-row.ts";
import type { Tx } from "../database/statements.ts";
import { reportValues } from "./attempt-report.ts";
import { changeStatements } from "./change-statements.ts";

interface Change {
  platformId: string;
  record: KycRecord;
  /** The source of the change; undefined where the state did not change. */
  source: KycChange["source"] | undefined;
  /** The reasons that only compliance may see. */
  restricted?: KycVerdict["restricted"];
  /** Who decided manually. */
  actor?: string | undefined;
}

/** Locks a record until the transaction ends. The record must exist. */
export async function lockRecord(tx: Tx, platformId: string, kycRecordId: string): Promise<KycRecord> {
  const rows = await changeStatements(tx).lockRecord.execute({ platformId, kycRecordId });
  return requireRow(rows, "KYC record");
}

/** Writes a record's state and its next due time, and inserts a history row for a change. */
export function writeChange(
  tx: Tx,
  { platformId, record, source, restricted, actor }: Change,
): Promise<unknown>[] {
  const statements = changeStatements(tx);
  const state = { ...stateOf(platformId, record), manual: source === "person" };
  const update = statements.updateRecord.execute(state);
  if (source === undefined) return [update];
  const change = { ...state, source, restrictedReasons: restricted ?? [], actor: actor ?? null };
  return [update, statements.insertChange.execute(change)];
}

/** Stores the provider's answer if the record still equals `known`; otherwise returns no row. */
export function writeIfUnchanged(
  tx: Tx,
  platformId: string,
  known: KycRecord,
  {
    record,
    restricted,
    report,
  }: Pick<Change, "record" | "restricted"> & { report: AttemptReport | undefined },
): Promise<unknown[]> {
  const { attempt, resolution: knownResolution, revision: knownRevision } = known;
  const condition = { attempt, knownResolution, knownRevision };
  const change = { source: "provider", restrictedReasons: restricted ?? [], actor: null };
  const state = { ...stateOf(platformId, record), manual: false };
  return changeStatements(tx).updateIfUnchanged.execute({
    ...state,
    ...condition,
    ...change,
    ...reportValues(report),
  });
}

/**
 * Whether a change approves a user without an e-mail (G17). Only users whose latest record is declined can lose their
 * e-mail, so the first decision needs no look-up. Send it after the statement that locks or changes the record: taking
 * over the e-mail requires the same lock.
 */
export async function approvesWithoutEmail(
  tx: Tx,
  platformId: string,
  before: KycRecord,
  record: KycRecord,
): Promise<boolean> {
  if (!isDeclined(before) || record.status !== "APPROVED") return false;
  const id = { platformId, userId: record.externalUserId };
  const rows = await changeStatements(tx).withoutEmail.execute(id);
  return rows.length > 0;
}

function stateOf(platformId: string, record: KycRecord) {
  const { kycRecordId, resolution, status, subStatus, cardAccountId, revision, explanation } = record;
  const state = { resolution, status, subStatus, cardAccountId, revision, explanation };
  return { platformId, kycRecordId, ...state, final: isFinal(record) };
}
