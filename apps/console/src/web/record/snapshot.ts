import type { RouterOutputs } from "@cardbridge/trpc-client";

type ShownRecord = RouterOutputs["records"]["get"];
type RecordState = RouterOutputs["records"]["state"];

interface Snapshot {
  /** One reading of the record, with who has it now. */
  shown: ShownRecord;
  /** Whether something has changed since. */
  isChanged: boolean;
  /** Whether its status may be another one now, so that its words are no longer right. */
  isStale: boolean;
}

/** A record as it was read once. A newer state only says that it changed: its status and its sentences belong together. */
export function snapshotOf(record: ShownRecord, state: RecordState | undefined): Snapshot {
  if (!state || Date.parse(state.readAt) <= Date.parse(record.readAt)) {
    return { shown: record, isChanged: false, isStale: false };
  }
  const { assignee, assignedRole, assignedAt, assignmentVersion } = state;
  const isStale = state.version !== record.version || state.documentExpiry !== record.documentExpiry;
  const isChanged =
    isStale ||
    state.attempt !== record.attempt ||
    state.leaseUntil !== record.leaseUntil ||
    state.needsAttentionSince !== record.needsAttentionSince ||
    state.notes !== record.notes;
  const shown = { ...record, assignee, assignedRole, assignedAt, assignmentVersion };
  return { shown, isChanged, isStale };
}
