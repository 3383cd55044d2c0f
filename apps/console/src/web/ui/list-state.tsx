import type { ReactNode } from "react";
import { shared } from "../lib/words.ts";
import { Button } from "./button.tsx";
import { Card } from "./section.tsx";
import { Empty, ErrorState } from "./states.tsx";

interface Props {
  query: { error: unknown; isPending?: boolean; refetch(): unknown };
  /** Whether there is nothing to show. */
  empty: boolean;
  nothing: { title: string; text: string; children?: ReactNode };
  children: ReactNode;
}

/** A list on its surface; or why it is empty, or what went wrong. */
export function ListState({ query, empty, nothing, children }: Props) {
  return (
    <Card>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : empty ? (
        <Empty {...nothing} />
      ) : (
        children
      )}
    </Card>
  );
}

interface MoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown };
  /** What is shown so far, in words. */
  children?: ReactNode;
}

/** What is below a list: how far it reaches, and the next page. */
export function More({ query, children }: MoreProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 text-13 text-muted">
      {query.hasNextPage && (
        <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? shared.queue.loading : shared.queue.more}
        </Button>
      )}
      {children}
    </div>
  );
}
