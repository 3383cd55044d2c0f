import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "../api/client.ts";
import { useLiveChanges } from "../lib/live.ts";
import { useSession } from "../session.ts";
import { Button, buttonClass, Key } from "../ui/button.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import { isFiltered, type QueueSearch } from "./filter.ts";
import { Filters, Tabs } from "./filters.tsx";
import { Headline } from "./headline.tsx";
import { place } from "./place.ts";
import { QueueList } from "./queue-list.tsx";
import { useQueue } from "./use-queue.ts";
import { useRowActions } from "./use-row-actions.ts";

const { queue } = words;

/** The records that somebody has to look at. */
export function QueuePage() {
  usePageTitle(queue.title);
  const search = useSearch({ from: "/queue" });
  const navigate = useNavigate();
  const session = useSession();
  const slaHours = session.state === "signed-in" ? session.session.slaHours : 4;
  const me = useQuery(api.persons.me.queryOptions({}));
  const counts = useQuery(api.records.counts.queryOptions({})).data;
  const list = useQueue(search, me.data?.personId);
  const { results, said, assign, refresh } = useRowActions(me.data?.personId);
  const { changed, show } = useChanged(
    list.rows.map(({ kycRecordId }) => kycRecordId),
    list.refetch,
  );
  place.search = search;

  return (
    <Page>
      <div className="mb-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="text-20 font-semibold tracking-tight">{queue.title}</h1>
        <Headline slaHours={slaHours} />
      </div>
      <Tabs search={search} counts={counts} />
      <Filters
        search={search}
        me={me.data}
        change={(next) => void navigate({ to: "/queue", search: next })}
      />
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <ChangeBar count={changed.size} onShow={show} />
      {me.isError || list.isError ? (
        <div className="rounded border border-line bg-surface">
          <ErrorState
            error={me.error ?? list.error}
            onRetry={() => void (me.isError ? me : list).refetch()}
          />
        </div>
      ) : list.isPending ? (
        <Loading />
      ) : list.rows.length === 0 ? (
        <div className="rounded border border-line bg-surface">
          <Nothing search={search} />
        </div>
      ) : (
        <>
          {list.hasPreviousPage && (
            <Button className="mb-3" onClick={() => void list.fetchPreviousPage()}>
              {queue.earlier}
            </Button>
          )}
          <QueueList
            {...{ rows: list.rows, slaHours, me: me.data, changed, results }}
            assign={(row) => void assign(row)}
            refresh={(row) => void refresh(row)}
          />
          <Foot list={list} />
        </>
      )}
    </Page>
  );
}

/** The shown records that changed since the list was read. */
function useChanged(ids: readonly string[], refetch: () => Promise<unknown>) {
  const changes = useLiveChanges();
  const queries = useQueryClient();
  const [seen, setSeen] = useState(changes);
  const changed = new Set(ids.filter((id) => (changes.get(id) ?? 0) > (seen.get(id) ?? 0)));
  useEffect(() => {
    void queries.invalidateQueries(api.records.counts.queryFilter());
  }, [changes, queries]);
  const show = () => {
    setSeen(changes);
    void refetch();
  };
  return { changed, show };
}

/** Says how many shown records changed. It lies over the headings of the list, so that the rows keep their place. */
function ChangeBar({ count, onShow }: { count: number; onShow(): void }) {
  return (
    <div
      aria-live="polite"
      className="z-20 max-lg:fixed max-lg:inset-x-4 max-lg:bottom-18 lg:sticky lg:top-14 lg:h-0"
    >
      {count > 0 && (
        <button
          type="button"
          onClick={onShow}
          className="h-10 w-full rounded border border-accent-line bg-accent-tint text-13 font-medium text-accent tabular-nums shadow-float hover:border-accent lg:h-8.5 lg:rounded-b-none lg:shadow-none"
        >
          {queue.bar(count)}: <span className="underline underline-offset-2">{queue.show}</span>
        </button>
      )}
    </div>
  );
}

function Foot({ list }: { list: ReturnType<typeof useQueue> }) {
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3 text-13 text-muted">
      {list.hasNextPage ? (
        <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? queue.loading : queue.more}
        </Button>
      ) : (
        <p>{queue.end(list.rows.length)}</p>
      )}
      {list.last?.narrow && <p>{queue.narrow}</p>}
      <p aria-hidden="true" className="hidden items-center gap-4 pointer-fine:md:flex">
        {queue.keys.map(([key, text]) => (
          <span key={key} className="flex items-center gap-1">
            {key.split(" ").map((part) => (
              <Key key={part}>{part}</Key>
            ))}
            {text}
          </span>
        ))}
      </p>
    </div>
  );
}

function Nothing({ search }: { search: QueueSearch }) {
  const { empty } = queue;
  if (isFiltered(search)) {
    return (
      <Empty title={empty.filtered} text={empty.filteredText}>
        <Link to="/queue" search={search.tab ? { tab: search.tab } : {}} className={buttonClass("plain")}>
          {queue.clear}
        </Link>
      </Empty>
    );
  }
  if (search.tab) return <Empty title={empty.all} text={empty.allText} />;
  return (
    <Empty title={empty.attention} text={empty.attentionText}>
      <Link to="/queue" search={{ tab: "open" }} className={buttonClass("plain")}>
        {empty.attentionLink}
      </Link>
    </Empty>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="rounded border border-line bg-surface">
      <span className="sr-only">{queue.loading}</span>
      <div className="hidden h-8 lg:block" />
      {Array.from({ length: 12 }, (_, index) => (
        <div
          key={index}
          className="flex h-[85px] items-center gap-4 border-t border-line px-3 md:h-[63px] lg:h-9"
        >
          <Bar className="size-3 rounded-full" />
          <Bar className="h-4 w-32" />
          <Bar className="h-4 w-56 max-w-[35%]" />
          <Bar className="ml-auto h-4 w-20" />
        </div>
      ))}
    </div>
  );
}
