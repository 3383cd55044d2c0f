import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, background } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { useActivePauses } from "../lib/use-pauses.ts";
import { proposalScopes } from "../proposals/kinds.ts";
import { cx } from "../ui/class.ts";
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { meaningText, Shape } from "../ui/state-mark.tsx";
import { Bar } from "../ui/states.tsx";
import { type Alarm, alarmsOf } from "./alarms.ts";
import { RecordLines } from "./records.tsx";
import { EndpointLines, ProposalLines } from "./waiting.tsx";

const words = {
  title: "Home",
  calm: "All is well.",
  calmText: "No record needs attention, the provider answers, and no webhook endpoint fails.",
  alarmsTitle: "What needs somebody now",
  unknown: "Some of this is not known now: the service does not answer everything.",
} as const;

/** What the person does next: what needs somebody, the queue, the person's own records, and what waits for a confirmation. */
export function HomePage() {
  usePageTitle(words.title);
  const session = useSession();
  const slaHours = session.state === "signed-in" ? session.session.slaHours : 4;
  const now = useNow();
  const { may } = useMe();
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
      <div className="grid items-start gap-x-8 gap-y-6 xl:grid-cols-2 xl:[&>*:last-child:nth-child(odd)]:col-span-2">
        <RecordLines kind="queue" counts={counts.data} />
        {may("ops.records.act") && <RecordLines kind="mine" counts={counts.data} />}
        <ProposalLines query={proposals} />
        <EndpointLines query={health} />
      </div>
    </Page>
  );
}

/** What the home page shows beside the records, renewed three times a minute. */
function useHome() {
  const { may } = useMe();
  const renewed = { refetchInterval: 20_000 };
  const counts = useQuery({ ...api.records.counts.queryOptions({}, background), ...renewed });
  const status = useQuery({ ...api.service.status.queryOptions({}, background), ...renewed });
  const health = useQuery({
    ...api.webhooks.endpointHealth.queryOptions({ failing: true }, background),
    ...renewed,
  });
  const pauses = useActivePauses();
  const proposals = useQuery({
    ...api.proposals.list.queryOptions({ waitingForMe: true, limit: 5 }, background),
    ...renewed,
    enabled: may(...proposalScopes),
  });
  return { counts, status, health, pauses, proposals };
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
    <div className="mb-6 flex min-h-7 flex-col gap-1">
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
      {unknown && <Notice meaning="waiting">{words.unknown}</Notice>}
    </div>
  );
}
