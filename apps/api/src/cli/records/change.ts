import type { RecordDetails } from "@cardbridge/domain";

/** A record before and after a command, for programs; `after` is null where nothing could be stored. */
export function changeDocument(before: RecordDetails, after: RecordDetails | null) {
  const { kycRecordId } = before;
  return { kycRecordId, before: stateDocument(before), after: after && stateDocument(after) };
}

function stateDocument(record: RecordDetails) {
  const { settlement, status, subStatus, cardAccountId, explanation, heldAt } = record;
  return { settlement, status, subStatus, cardAccountId, explanation, held: heldAt !== null };
}
