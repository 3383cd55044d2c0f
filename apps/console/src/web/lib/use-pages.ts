import { useInfiniteQuery } from "@tanstack/react-query";

interface Page {
  nextCursor: string | null;
}

/** The pages of a search, read one after the other. The key holds the filters. */
export function usePages<P extends Page>(
  key: readonly unknown[],
  read: (page: { cursor?: string }, signal: AbortSignal) => Promise<P>,
  options: { enabled?: boolean; staleTime?: number; refetchInterval?: number } = {},
) {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => read(pageParam === "" ? {} : { cursor: pageParam }, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...options,
  });
  return { ...query, pages: query.data?.pages ?? [], last: query.data?.pages.at(-1) };
}
