import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { api, background } from "../api/client.ts";
import { recordOptions } from "../api/shapes.ts";
import { useLiveChanges } from "../lib/live.ts";
import { useMe } from "../lib/use-me.ts";
import { OpenProposals } from "../proposals/open-proposals.tsx";
import { useOpenProposals } from "../proposals/use-proposals.ts";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Bar, Missing } from "../ui/states.tsx";
import { Decision } from "./decision/decision.tsx";
import { Evidence } from "./evidence/evidence.tsx";
import { useEvidence } from "./evidence/use-evidence.ts";
import { Facts } from "./facts.tsx";
import { Head } from "./head.tsx";
import { Reasons } from "./reasons.tsx";
import { Requests } from "./requests.tsx";
import { snapshotOf } from "./snapshot.ts";
import { TimelineView } from "./timeline-view.tsx";
import { Way } from "./way.tsx";

const words = {
  title: "Record",
  missing: "No such record",
  missingText:
    "There is no record with this id on the platforms that you may see. Check the id, or ask who sent it.",
  toQueue: "Go to the queue",
} as const;

const refreshMs = 15_000;
const columns = "mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]";

/** One record: why it is here, what to do next, and everything that happened to it. */
export function RecordPage() {
  const { kycRecordId } = useParams({ from: "/records/$kycRecordId" });
  // Another record is another view, with nothing of the former one.
  return <RecordView key={kycRecordId} kycRecordId={kycRecordId} />;
}

function RecordView({ kycRecordId }: { kycRecordId: string }) {
  usePageTitle(words.title);
  const { may, platformName } = useMe();
  const { record, snapshot, reload } = useRecord(kycRecordId);
  const shown = snapshot?.shown;
  const evidence = useEvidence(kycRecordId, () => void reload());
  const proposals = useOpenProposals({ kycRecordId });
  /** How often the decision was asked for; 0 while it is closed. */
  const [entering, setEntering] = useState(0);
  const mayDecide = may("ops.records.decide") && shown?.resolution === "unresolved";
  return (
    <Page>
      <Way kycRecordId={kycRecordId} isChanged={snapshot?.isChanged ?? false} reload={reload} />
      {record.isError ? (
        <Missing
          view={words.title}
          title={words.missing}
          text={words.missingText}
          way={{ name: words.toQueue, link: { to: "/queue", search: {} } }}
          error={record.error}
          onRetry={() => void record.refetch()}
        />
      ) : !shown ? (
        <Loading />
      ) : (
        <>
          <OpenProposals proposals={proposals} />
          <Head
            record={shown}
            isStale={snapshot.isStale}
            reload={reload}
            isElsewhere={entering > 0 || proposals.length > 0}
            onDecide={mayDecide ? () => setEntering(entering + 1) : undefined}
          />
          <div className={columns}>
            {may("ops.evidence") && (
              <div className="min-w-0 lg:col-span-2">
                <Evidence evidence={evidence} mayDecide={mayDecide} />
              </div>
            )}
            <div className="flex min-w-0 flex-col gap-6">
              <Decision
                record={shown}
                platform={platformName(shown.platformId)}
                seen={evidence.opened}
                reload={reload}
                entering={mayDecide ? entering : 0}
                onClose={() => setEntering(0)}
              />
              <Requests requests={shown.requests} />
              <Reasons record={shown} />
              <Facts record={shown} />
            </div>
            <TimelineView record={shown} reload={reload} />
          </div>
        </>
      )}
    </Page>
  );
}

/** The shape of a record before it is there. */
const Loading = () => (
  <div aria-busy="true">
    <h1 className="sr-only">{words.title}</h1>
    <Bar className="h-44 w-full" />
    <div className={columns}>
      <Bar className="h-80 w-full" />
      <Bar className="h-80 w-full" />
    </div>
  </div>
);

/** A record with its state of now: read again every 15 seconds while the page is visible, and after each change. */
function useRecord(kycRecordId: string) {
  const queries = useQueryClient();
  const record = useQuery(recordOptions(kycRecordId));
  const stateOptions = api.records.state.queryOptions({ kycRecordId }, background);
  const state = useQuery({ ...stateOptions, enabled: record.isSuccess, refetchInterval: refreshMs });

  const changes = useLiveChanges().get(kycRecordId) ?? 0;
  const handled = useRef(changes);
  useEffect(() => {
    if (changes === handled.current) return;
    handled.current = changes;
    void queries.invalidateQueries({ queryKey: stateOptions.queryKey });
  }, [changes, queries, stateOptions.queryKey]);

  /** Reads all of the record again. */
  async function reload(): Promise<void> {
    await Promise.all([
      record.refetch(),
      state.refetch(),
      queries.invalidateQueries(api.records.attempts.queryFilter({ kycRecordId })),
      queries.invalidateQueries(api.records.notes.queryFilter({ kycRecordId })),
    ]);
  }
  return { record, snapshot: record.data && snapshotOf(record.data, state.data), reload };
}
