import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../lib/use-me.ts";
import { OpenProposals } from "../proposals/open-proposals.tsx";
import { useOpenProposals } from "../proposals/use-proposals.ts";
import { Page, usePageTitle } from "../ui/page.tsx";
import { words } from "../words.ts";
import { Decision } from "./decision/decision.tsx";
import { Evidence } from "./evidence/evidence.tsx";
import { useEvidence } from "./evidence/use-evidence.ts";
import { Facts } from "./facts.tsx";
import { Failed } from "./failed.tsx";
import { Head } from "./head.tsx";
import { Loading } from "./loading.tsx";
import { Notes } from "./notes.tsx";
import { Reasons } from "./reasons.tsx";
import { Restricted } from "./restricted.tsx";
import { TimelineView } from "./timeline-view.tsx";
import { useRecord } from "./use-record.ts";
import { Way } from "./way.tsx";

const { record: say } = words;

/** One record: why it is here, what to do next, and everything that happened to it. */
export function RecordPage() {
  const { kycRecordId } = useParams({ from: "/records/$kycRecordId" });
  // Another record is another view, with nothing of the former one.
  return <RecordView key={kycRecordId} kycRecordId={kycRecordId} />;
}

function RecordView({ kycRecordId }: { kycRecordId: string }) {
  usePageTitle(say.title);
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
