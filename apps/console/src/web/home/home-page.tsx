import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { api, background } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { useLiveChanges } from "../lib/live.ts";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { useActivePauses } from "../lib/use-pauses.ts";
import { shared } from "../lib/words.ts";
import { cx } from "../ui/class.ts";
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { meaningText, Shape, StateMark } from "../ui/state-mark.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { type Alarm, alarmsOf } from "./alarms.ts";
import { Endpoints } from "./endpoints.tsx";
import { Figures } from "./figures.tsx";

const words = {
  title: "Home",
  name: "Name",
  calls: (group: string) => `Calls: ${group}`,
  breaker: { closed: "answering", open: "held back", "half-open": "being tried again" },
  breakerNote: "As the process sees it that answered this page.",
  calm: "All is well.",
  calmText: "No record needs attention, the provider answers, and no webhook endpoint fails.",
  alarmsTitle: "What needs somebody now",
  unknown: "Some of this is not known now. See below what does not answer.",
} as const;

const meanings = { closed: "good", open: "bad", "half-open": "waiting" } as const;

/** How the service stands: one sentence if all is well, otherwise what needs somebody. */
export function HomePage() {
  usePageTitle(words.title);
  const session = useSession();
  const slaHours = session.state === "signed-in" ? session.session.slaHours : 4;
  const now = useNow();
  const { counts, status, health, pauses, proposals } = useHome();
  const known = {
    counts: counts.data,
    status: status.data,
    health: health.data,
    pauses: pauses.data?.pauses,
  };
  const queries = [counts, status, health, pauses];
  return (
    <Page>
      <h1 className="sr-only">{words.title}</h1>
      <Headline
        alarms={alarmsOf(known, slaHours, now)}
        pending={queries.some(({ isPending }) => isPending)}
        unknown={queries.some(({ data, isError }) => isError && !data)}
      />
      <Figures counts={counts} proposals={proposals.data?.waitingForMe} slaHours={slaHours} now={now} />
      <div className="mt-6 grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Endpoints health={health} />
        <Provider status={status} />
      </div>
    </Page>
  );
}

/** Everything that the home page shows, renewed each minute; the counts also when records change. */
function useHome() {
  const { may } = useMe();
  const minute = { refetchInterval: 60_000 };
  const counts = useQuery({ ...api.records.counts.queryOptions({}, background), ...minute });
  const status = useQuery({ ...api.service.status.queryOptions({}, background), ...minute });
  const health = useQuery({
    ...api.webhooks.endpointHealth.queryOptions({ failing: true }, background),
    ...minute,
  });
  const pauses = useActivePauses();
  const proposals = useQuery({
    ...api.proposals.list.queryOptions({ waitingForMe: true, limit: 1 }, background),
    ...minute,
    enabled: may("ops.records.decide", "ops.users.write", "ops.compliance"),
  });
  useLiveCounts();
  return { counts, status, health, pauses, proposals };
}

/** Reads the counts again when records change, at most once in two seconds. */
function useLiveCounts(): void {
  const changes = useLiveChanges();
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (changes.size === 0 || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries(api.records.counts.queryFilter());
    }, 2_000);
  }, [changes, queries]);
  useEffect(() => () => clearTimeout(timer.current), []);
}

interface Props {
  status: { data: RouterOutputs["service"]["status"] | undefined; error: unknown; refetch(): unknown };
}

/** Whether the provider answers, by group of calls. */
function Provider({ status: { data, error, refetch } }: Props) {
  return (
    <Section title={shared.home.provider}>
      <Card>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <div className="p-4">
            <Bar className="h-19 w-full" />
          </div>
        ) : (
          <dl>
            <Fact name={words.name}>{data.provider.name}</Fact>
            {Object.entries(data.provider.breakers).map(([group, state]) => (
              <Fact key={group} name={words.calls(group)}>
                <StateMark meaning={meanings[state]} word={words.breaker[state]} />
              </Fact>
            ))}
          </dl>
        )}
      </Card>
      <p className="mt-2 text-13 text-muted">{words.breakerNote}</p>
    </Section>
  );
}

interface HeadlineProps {
  alarms: readonly Alarm[];
  pending: boolean;
  /** Whether something could not be read. */
  unknown: boolean;
}

/** The first sentence of the day. */
function Headline({ alarms, pending, unknown }: HeadlineProps) {
  if (pending && alarms.length === 0) return <Bar className="mb-6 h-7 w-96 max-w-full" />;
  return (
    <div className="mb-6">
      {alarms.length > 0 ? (
        <ul aria-label={words.alarmsTitle} className="flex flex-col gap-1">
          {alarms.map(({ meaning, text, to }, index) => (
            <li key={text}>
              <Link
                {...to}
                className={cx(
                  "inline-flex items-baseline gap-2 rounded font-semibold tabular-nums hover:underline",
                  index === 0 ? "text-20" : "text-14",
                  meaningText(meaning),
                )}
              >
                <Shape meaning={meaning} />
                {text}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        !unknown && (
          <p className="flex flex-wrap items-baseline gap-x-2">
            <strong className="inline-flex items-center gap-2 text-20 font-semibold text-good">
              <Shape meaning="good" />
              {words.calm}
            </strong>
            <span className="text-muted">{words.calmText}</span>
          </p>
        )
      )}
      {unknown && (
        <Notice meaning="waiting" className={alarms.length > 0 ? "mt-3" : ""}>
          {words.unknown}
        </Notice>
      )}
    </div>
  );
}
