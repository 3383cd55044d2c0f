import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import type { RecordRow } from "../api/shapes.ts";

export type SearchPage = RouterOutputs["records"]["search"];

/** Changes a record in every list that was read, in place: no list is read again, so each keeps its rows. */
export function patchRow(queries: QueryClient, kycRecordId: string, fields: Partial<RecordRow>): void {
  const change = (row: RecordRow) => (row.kycRecordId === kycRecordId ? { ...row, ...fields } : row);
  queries.setQueriesData<InfiniteData<SearchPage, string>>(
    { queryKey: ["queue"] },
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, records: page.records.map(change) })) },
  );
}

/** What a row shows of a record's state. */
export function rowFields({
  resolution,
  status,
  subStatus,
  needsAttentionSince,
}: Pick<RecordRow, "resolution" | "status" | "subStatus" | "needsAttentionSince">) {
  return { resolution, status, subStatus, needsAttentionSince };
}
