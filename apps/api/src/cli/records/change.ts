import type { RecordDetails } from "@cardbridge/domain";

/** A record before and after a command, for programs; `after` is null where nothing could be stored. */
export function changeDocument(before: RecordDetails, after: RecordDetails | null) {
  const { kycRecordId } = before;
  return { kycRecordId, before: stateDocument(before), after: after && stateDocument(after) };
}

function stateDocument({ settlement, status, subStatus, cardAccountId, heldAt }: RecordDetails) {
  return { settlement, status, subStatus, cardAccountId, held: heldAt !== null };
}
