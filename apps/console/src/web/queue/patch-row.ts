import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";

type SearchPage = RouterOutputs["records"]["search"];
type RecordRow = SearchPage["records"][number];

/** Changes a record in every list that was read, in place: no list is read again, so each keeps its rows. */
export function patchRow(queries: QueryClient, kycRecordId: string, fields: Partial<RecordRow>): void {
  const change = (row: RecordRow) => (row.kycRecordId === kycRecordId ? { ...row, ...fields } : row);
  queries.setQueriesData<InfiniteData<SearchPage, string>>(
    { queryKey: ["queue"] },
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, records: page.records.map(change) })) },
  );
}

type State = Pick<RecordRow, "resolution" | "status" | "subStatus" | "needsAttentionSince"> &
  Partial<Pick<RouterOutputs["records"]["get"], "explanation">>;

/** What a row shows of a record's state, with the reasons of a refusal or a rejection where they are known. */
export function rowFields({ resolution, status, subStatus, needsAttentionSince, explanation }: State) {
  const state = { resolution, status, subStatus, needsAttentionSince };
  if (explanation === undefined) return state;
  return { ...state, reasons: explanation?.reasons.map(({ code }) => code) ?? [] };
}
