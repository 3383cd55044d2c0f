import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, background } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import { recordOptions, type ShownRecord } from "../api/shapes.ts";
import { useLiveChanges } from "../lib/live.ts";
import { useMe } from "../lib/use-me.ts";
import { reasonWords } from "../lib/why.ts";
import { OpenProposals } from "../proposals/open-proposals.tsx";
import { useOpenProposals } from "../proposals/use-proposals.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Section } from "../ui/section.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { Decision } from "./decision/decision.tsx";
import { Evidence } from "./evidence/evidence.tsx";
import { useEvidence } from "./evidence/use-evidence.ts";
import { Facts } from "./facts.tsx";
import { Head } from "./head.tsx";
import { Notes } from "./notes.tsx";
import { Requests } from "./requests.tsx";
import { Restricted } from "./restricted.tsx";
import { snapshotOf } from "./snapshot.ts";
import { TimelineView } from "./timeline-view.tsx";
import { Way } from "./way.tsx";
import { words } from "./words.ts";

const refreshMs = 15_000;

const { reasons: reasonsWords } = words;

/** One record: why it is here, what to do next, and everything that happened to it. */
export function RecordPage() {
  const { kycRecordId } = useParams({ from: "/records/$kycRecordId" });
  // Another record is another view, with nothing of the former one.
  return <RecordView key={kycRecordId} kycRecordId={kycRecordId} />;
}

function RecordView({ kycRecordId }: { kycRecordId: string }) {
  usePageTitle(words.title);
  const { me, may, platformName } = useMe();
  const { record, attempts, notes, snapshot, reload } = useRecord(kycRecordId);
  const shown = snapshot?.shown;
  const evidence = useEvidence(kycRecordId);
  const proposals = useOpenProposals({ kycRecordId });
  const [entering, setEntering] = useState(false);
  return (
    <Page>
      <Way kycRecordId={kycRecordId} changed={snapshot?.isChanged ?? false} reload={reload} />
      {record.isError ? (
        <Failed error={record.error} onRetry={() => void record.refetch()} />
      ) : !shown ? (
        <Loading />
      ) : (
        <>
          <OpenProposals proposals={proposals} />
          <Head
            record={shown}
            me={me}
            isStale={snapshot.isStale}
            reload={reload}
            next={entering || proposals.length > 0 ? "elsewhere" : "here"}
            onDecide={() => setEntering(true)}
          />
          <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            {may("ops.evidence") && (
              <div className="min-w-0 lg:col-span-2">
                <Evidence evidence={evidence} />
              </div>
            )}
            <div className="flex min-w-0 flex-col gap-6">
              <Decision
                record={shown}
                platform={platformName(shown.platformId)}
                seen={evidence.opened}
                reload={reload}
                entering={entering}
                onEnter={setEntering}
              />
              <Requests requests={shown.requests} />
              <Reasons explanation={shown.explanation} />
              <Restricted record={shown} />
              <Facts record={shown} />
              <Notes kycRecordId={kycRecordId} notes={notes} me={me} onAdded={reload} />
              {me && !may("ops.evidence") && <Evidence evidence={evidence} />}
            </div>
            <TimelineView record={shown} attempts={attempts} notes={notes.data?.notes ?? []} />
          </div>
        </>
      )}
    </Page>
  );
}

/** The shape of a record before it is there. */
function Loading() {
  return (
    <div aria-busy="true">
      <h1 className="sr-only">{words.title}</h1>
      <div className="rounded border border-line bg-surface px-4 py-4 md:px-5">
        <Bar className="h-6 w-72 max-w-full" />
        <Bar className="mt-4 h-7 w-[36rem] max-w-full" />
        <Bar className="mt-5 h-9 w-64 max-w-full" />
      </div>
      <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Bar className="h-80 w-full" />
        <Bar className="h-80 w-full" />
      </div>
    </div>
  );
}

/** Why a record cannot be shown. */
function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <div className="rounded border border-line bg-surface">
      <h1 className="sr-only">{words.title}</h1>
      {shownError(error).kind === "not-found" || shownError(error).kind === "invalid" ? (
        <Empty title={words.notFoundTitle} text={words.notFoundText}>
          <Link to="/queue" search={{}} className={buttonClass("plain")}>
            {words.toQueue}
          </Link>
        </Empty>
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </div>
  );
}

/** Why the provider refused or rejected the submission. */
function Reasons({ explanation }: { explanation: ShownRecord["explanation"] }) {
  if (!explanation || explanation.reasons.length === 0) return null;
  return (
    <Section title={reasonsWords.title}>
      <Card>
        <ul>
          {explanation.reasons.map(({ code, field }) => (
            <li
              key={`${code}${field}`}
              className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1.5 first:border-t-0"
            >
              <span className="first-letter:uppercase">
                {reasonWords(code)}
                {field && <span className="text-13 text-muted"> {reasonsWords.field(field)}</span>}
              </span>
              <span className="mono text-muted">{code}</span>
            </li>
          ))}
        </ul>
        {explanation.final && <p className="border-t border-line px-4 py-2 text-bad">{reasonsWords.final}</p>}
      </Card>
    </Section>
  );
}

/** A record with its state of now: read again every 15 seconds while the page is visible, and after each change. */
function useRecord(kycRecordId: string) {
  const queries = useQueryClient();
  const record = useQuery(recordOptions(kycRecordId));
  const attempts = useQuery(
    api.records.attempts.queryOptions({ kycRecordId }, { enabled: record.isSuccess }),
  );
  const notes = useQuery(api.records.notes.queryOptions({ kycRecordId }, { enabled: record.isSuccess }));
  const stateOptions = api.records.state.queryOptions({ kycRecordId }, background);
  const state = useQuery({
    ...stateOptions,
    enabled: record.isSuccess,
    refetchInterval: refreshMs,
  });

  const changes = useLiveChanges().get(kycRecordId) ?? 0;
  const handled = useRef(changes);
  useEffect(() => {
    if (changes === handled.current) return;
    handled.current = changes;
    void queries.invalidateQueries({ queryKey: stateOptions.queryKey });
  }, [changes, queries, stateOptions.queryKey]);

  /** Reads all of the record again. */
  async function reload(): Promise<void> {
    await Promise.all([record.refetch(), attempts.refetch(), notes.refetch(), state.refetch()]);
  }
  return { record, attempts, notes, snapshot: record.data && snapshotOf(record.data, state.data), reload };
}
