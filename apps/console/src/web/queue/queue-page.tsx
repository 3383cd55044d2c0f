import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, background } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { againstSla, ageWords } from "../lib/age.ts";
import { useLiveChanges } from "../lib/live.ts";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { cx } from "../ui/class.ts";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Foot, Loading, Nothing } from "./around-list.tsx";
import { Filters, Tabs } from "./filters.tsx";
import { place } from "./place.ts";
import { QueueList } from "./queue-list.tsx";
import { RequeueMany } from "./requeue-many.tsx";
import { useQueue } from "./use-queue.ts";
import { useRowActions } from "./use-row-actions.ts";

const words = {
  title: "Queue",
  oldest: (age: string, hours: number) => `oldest open ${age} (SLA ${hours} h)`,
  bar: (n: number) => (n === 1 ? "1 record changed" : `${n} records changed`),
  show: "Show",
} as const;

/** The records that somebody has to look at. */
export function QueuePage() {
  usePageTitle(words.title);
  const search = useSearch({ from: "/queue" });
  const navigate = useNavigate();
  const session = useSession();
  const slaHours = session.state === "signed-in" ? session.session.slaHours : 4;
  const { me } = useMe();
  const counts = useQuery(api.records.counts.queryOptions({})).data;
  const list = useQueue(search);
  const { results, said, assign, refresh } = useRowActions(me?.personId);
  const { changed, show } = useChanged(
    list.rows.map(({ kycRecordId }) => kycRecordId),
    list.refetch,
  );
  place.search = search;

  return (
    <Page>
      <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1">
        <h1 className="text-20 font-semibold tracking-tight">{words.title}</h1>
        <Oldest slaHours={slaHours} />
        {search.tab === undefined && counts !== undefined && counts.needsAttention > 0 && (
          <div className="sm:ml-auto">
            <RequeueMany search={search} onDone={() => void list.refetch()} />
          </div>
        )}
      </div>
      <Tabs search={search} counts={counts} />
      <Filters
        search={search}
        counts={counts}
        change={(next) => void navigate({ to: "/queue", search: next })}
      />
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <ChangeBar count={changed.size} onShow={show} />
      {list.isError ? (
        <div className="rounded border border-line bg-surface">
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : list.isPending ? (
        <Loading />
      ) : list.rows.length === 0 ? (
        <div className="rounded border border-line bg-surface">
          <Nothing search={search} />
        </div>
      ) : (
        <>
          <QueueList
            {...{ rows: list.rows, slaHours, me, changed, results }}
            assign={(row) => void assign(row)}
            refresh={(row) => void refresh(row)}
          />
          <Foot list={list} />
        </>
      )}
    </Page>
  );
}

/** How long the oldest open record waits. The tabs say how many there are. */
function Oldest({ slaHours }: { slaHours: number }) {
  const { data } = useQuery({ ...api.records.counts.queryOptions({}, background), refetchInterval: 60_000 });
  const now = useNow();
  if (!data) return <Bar className="h-5 w-48 max-w-full" />;
  if (data.oldestOpenAt === null) return null;
  const age = now - Date.parse(data.oldestOpenAt);
  return (
    <p className={cx("tabular-nums", againstSla(age, slaHours) === "over" ? "text-bad" : "text-muted")}>
      {words.oldest(ageWords(age), slaHours)}
    </p>
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
          {words.bar(count)}: <span className="underline underline-offset-2">{words.show}</span>
        </button>
      )}
    </div>
  );
}
