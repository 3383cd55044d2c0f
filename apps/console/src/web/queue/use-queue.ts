import type { RouterOutputs } from "@cardbridge/trpc-client";
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { client } from "../api/client.ts";
import type { RecordRow } from "../api/shapes.ts";
import { type QueueSearch, toSearchInput } from "./filter.ts";

type SearchPage = RouterOutputs["records"]["search"];
type SearchInput = Parameters<typeof client.records.search.query>[0];
const rowsOfPage = 50;
/** Four pages of fifty: at most 200 rows are in the document. */
const pagesShown = 4;

/** The cursor of the page before each page. The first page has the empty cursor. */
const before = new Map<string, string>();

/** The records of a filter, a window of at most four pages. */
export function useQueue(search: QueueSearch, me: string | undefined) {
  const queryKey = ["queue", search, me];
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey,
    enabled: me !== undefined,
    initialPageParam: "",
    maxPages: pagesShown,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ pageParam, signal }): Promise<SearchPage> => {
      const cursor = pageParam === "" ? {} : { cursor: pageParam };
      const input = { ...toSearchInput(search, me ?? "", Date.now()), ...cursor, limit: rowsOfPage };
      return client.records.search.query(input as SearchInput, { signal });
    },
    getNextPageParam: ({ nextCursor }, _pages, pageParam) => {
      if (nextCursor !== null) before.set(nextCursor, pageParam);
      return nextCursor;
    },
    getPreviousPageParam: (_page, _pages, pageParam) => before.get(pageParam),
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ records }) => records) ?? [], [query.data]);
  /** Changes a shown row in place. */
  const patch = (kycRecordId: string, fields: Partial<RecordRow>) =>
    queries.setQueryData<InfiniteData<SearchPage, string>>(queryKey, (data) => {
      if (!data) return data;
      const change = (row: RecordRow) => (row.kycRecordId === kycRecordId ? { ...row, ...fields } : row);
      return { ...data, pages: data.pages.map((page) => ({ ...page, records: page.records.map(change) })) };
    });
  return { ...query, rows, patch, last: query.data?.pages.at(-1) };
}
