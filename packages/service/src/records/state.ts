import { type RecordState, recordReference, recordState } from "@cardbridge/domain";
import { renewalFields } from "../database/renewal-fields.ts";
import { requireRow } from "../database/require-row.ts";
import { kycRecords } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import type { NamePorts } from "../persons/names.ts";
import { exampleState } from "./example.ts";
import { isRecord, nameAssignee, summaryFields, type Unnamed, version, workFields } from "./record.ts";

const { step: _step, notFound: _notFound, createdAt: _createdAt, ...shown } = summaryFields;
const { status, subStatus } = kycRecords;
const { documentExpiry } = renewalFields;
const stateFields = { ...shown, status, subStatus, documentExpiry, version, ...workFields };

/** Reads what changes while a record is open. */
export const readRecordState = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.state",
  kind: "read",
  summary: "Read a record's state",
  description: "Reads what changes while a record is open, for an app that refreshes it. It is not audited.",
  input: recordReference,
  rules: [],
  output: recordState,
  example: { input: { kycRecordId: exampleState.kycRecordId }, output: exampleState },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: [],

  run: async (ports, { platformId }, { kycRecordId }) => ({
    data: await readState(ports, platformId, kycRecordId),
  }),
});

/** Reads what changes while a record is open. The record must exist. */
export async function readState(
  ports: NamePorts,
  platformId: string,
  kycRecordId: string,
): Promise<RecordState> {
  const record = await ports.database.asPlatform<Unnamed<RecordState>>(platformId, async (tx) => {
    const found = tx.select(stateFields).from(kycRecords).where(isRecord(platformId, kycRecordId));
    return pipelineCommit([found], ([rows]) => requireRow(rows, "KYC record"));
  });
  return nameAssignee(ports, record);
}
