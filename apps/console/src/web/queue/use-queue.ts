import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client } from "../api/client.ts";
import { type QueueSearch, toSearchInput } from "./filter.ts";
import type { SearchPage } from "./patch-row.ts";

type SearchInput = Parameters<typeof client.records.search.query>[0];
const rowsOfPage = 50;
/** Four pages of fifty: at most 200 rows are in the document. */
const pagesShown = 4;

/** The cursor of the page before each page. The first page has the empty cursor. */
const before = new Map<string, string>();

/** The records of a filter, a window of at most four pages. */
export function useQueue(search: QueueSearch, me: string | undefined) {
  // Only the filter "mine" has to know who that is.
  const mine = search.assignee === "mine" ? me : "";
  const queryKey = ["queue", search, mine];
  const query = useInfiniteQuery({
    queryKey,
    enabled: mine !== undefined,
    initialPageParam: "",
    maxPages: pagesShown,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ pageParam, signal }): Promise<SearchPage> => {
      const cursor = pageParam === "" ? {} : { cursor: pageParam };
      const input = { ...toSearchInput(search, mine ?? "", Date.now()), ...cursor, limit: rowsOfPage };
      return client.records.search.query(input as SearchInput, { signal });
    },
    getNextPageParam: ({ nextCursor }, _pages, pageParam) => {
      if (nextCursor !== null) before.set(nextCursor, pageParam);
      return nextCursor;
    },
    getPreviousPageParam: (_page, _pages, pageParam) => before.get(pageParam),
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ records }) => records) ?? [], [query.data]);
  return { ...query, rows, last: query.data?.pages.at(-1) };
}
