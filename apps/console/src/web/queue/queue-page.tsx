import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { useSession } from "../session.ts";
import { Button } from "../ui/button.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import { Foot, Loading, Nothing } from "./around-list.tsx";
import { ChangeBar, useChanged } from "./changes.tsx";
import { Filters, Tabs } from "./filters.tsx";
import { Headline } from "./headline.tsx";
import { place } from "./place.ts";
import { QueueList } from "./queue-list.tsx";
import { RequeueMany } from "./requeue-many.tsx";
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
      <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1">
        <h1 className="text-20 font-semibold tracking-tight">{queue.title}</h1>
        <Headline slaHours={slaHours} />
        {search.tab === undefined && counts !== undefined && counts.needsAttention > 0 && (
          <div className="sm:ml-auto">
            <RequeueMany search={search} onDone={() => void list.refetch()} />
          </div>
        )}
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
