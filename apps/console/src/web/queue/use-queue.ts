import { useMemo } from "react";
import { client } from "../api/client.ts";
import { usePages } from "../lib/use-pages.ts";
import { type QueueSearch, toSearchInput } from "./filter.ts";

type SearchInput = Parameters<typeof client.records.search.query>[0];

/** The records of a filter. They keep their place: only the person reads them again. */
export function useQueue(search: QueueSearch) {
  const query = usePages(
    ["queue", search],
    (page, signal) => {
      const input = { ...toSearchInput(search, Date.now()), ...page, limit: 50 };
      return client.records.search.query(input as SearchInput, { signal });
    },
    { staleTime: Number.POSITIVE_INFINITY },
  );
  const rows = useMemo(() => query.data?.pages.flatMap(({ records }) => records) ?? [], [query.data]);
  return { ...query, rows };
}
