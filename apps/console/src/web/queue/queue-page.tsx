import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, background } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { againstSla, ageWords } from "../lib/age.ts";
import { useLiveChanges } from "../lib/live.ts";
import { useNow } from "../lib/use-now.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class.ts";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Shape } from "../ui/state-mark.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Foot, Loading, Nothing } from "./around-list.tsx";
import { Filters, Tabs } from "./filters.tsx";
import { place } from "./place.ts";
import { QueueList } from "./queue-list.tsx";
import { RequeueMany } from "./requeue-many.tsx";
import { useQueue } from "./use-queue.ts";
import { useRowActions } from "./use-row-actions.ts";
import { countOf } from "./words.ts";

const words = {
  title: "Queue",
  headline: {
    attention: (n: string) => `${n} need attention`,
    open: (n: string) => `${n} open`,
    expired: (n: string) => (n === "1" ? "1 document expired" : `${n} documents expired`),
    oldest: (age: string) => `oldest ${age}`,
    sla: (hours: number) => `SLA ${hours} h`,
  },
  earlier: "Load earlier",
  bar: (n: number) => (n === 1 ? "1 record changed" : `${n} records changed`),
  show: "Show",
} as const;

const { headline } = words;

const number = new Intl.NumberFormat("en-GB");

const Dot = () => (
  <span aria-hidden="true" className="max-sm:hidden">
    ·
  </span>
);

/** The records that somebody has to look at. */
export function QueuePage() {
  usePageTitle(words.title);
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
        <h1 className="text-20 font-semibold tracking-tight">{words.title}</h1>
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
        counts={counts}
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
              {words.earlier}
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

/** How the queue stands, in one line. */
function Headline({ slaHours }: { slaHours: number }) {
  const { data } = useQuery({ ...api.records.counts.queryOptions({}, background), refetchInterval: 60_000 });
  const now = useNow();
  if (!data) return <Bar className="h-5 w-72 max-w-full" />;
  const age = data.oldestOpenAt === null ? undefined : now - Date.parse(data.oldestOpenAt);
  const over = age !== undefined && againstSla(age, slaHours) === "over";
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-muted tabular-nums sm:gap-x-2">
      <strong
        className={cx(
          "inline-flex items-center gap-1.5 font-semibold",
          data.needsAttention > 0 ? "text-attention" : "text-good",
        )}
      >
        <Shape meaning={data.needsAttention > 0 ? "attention" : "good"} />
        {headline.attention(number.format(data.needsAttention))}
      </strong>
      <Dot />
      <span>{headline.open(number.format(data.open))}</span>
      {data.documentExpiry.expired.count > 0 && (
        <>
          <Dot />
          <Link
            to="/queue"
            search={{ tab: "all", document: "expired" }}
            className="underline underline-offset-3"
          >
            {headline.expired(countOf(data.documentExpiry.expired))}
          </Link>
        </>
      )}
      {age !== undefined && (
        <>
          <Dot />
          <span className={cx(over && "font-medium text-bad")}>
            {headline.oldest(ageWords(age))} ({headline.sla(slaHours)})
          </span>
        </>
      )}
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
