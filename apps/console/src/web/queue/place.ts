import type { RecordRow } from "../api/shapes.ts";
import type { QueueSearch } from "./filter.ts";

/** Where the person was in the queue, for Back and for the next case. It lives in this page's memory. */
interface Place {
  search: QueueSearch;
  /** The record that had the focus. */
  focused: string | undefined;
  rows: readonly Pick<RecordRow, "kycRecordId">[];
}

export const place: Place = { search: {}, focused: undefined, rows: [] };

/** The record after this one in the queue as it was last seen; the first one for a record that is not in it. */
export function nextCase(kycRecordId: string): string | undefined {
  const ids = place.rows.map((row) => row.kycRecordId);
  return ids[ids.indexOf(kycRecordId) + 1];
}
