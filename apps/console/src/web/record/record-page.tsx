import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { shownError } from "../lib/problem.ts";
import { useKeys } from "../lib/use-keys.ts";
import { nextCase, place } from "../queue/place.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Empty, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import { Facts } from "./facts.tsx";
import { Head } from "./head.tsx";
import { Loading } from "./loading.tsx";
import { Notes } from "./notes.tsx";
import { Reasons } from "./reasons.tsx";
import { TimelineView } from "./timeline-view.tsx";
import { useRecord } from "./use-record.ts";

const { record: say } = words;

/** One record: why it is here, what to do next, and everything that happened to it. */
export function RecordPage() {
  const { kycRecordId } = useParams({ from: "/records/$kycRecordId" });
  // Another record is another view, with nothing of the former one.
  return <RecordView key={kycRecordId} kycRecordId={kycRecordId} />;
}

function RecordView({ kycRecordId }: { kycRecordId: string }) {
  usePageTitle(say.title);
  const me = useQuery(api.persons.me.queryOptions({})).data;
  const { record, attempts, notes, state, changed, reload } = useRecord(kycRecordId);
  return (
    <Page>
      <Way kycRecordId={kycRecordId} />
      {record.isError ? (
        <Failed error={record.error} onRetry={() => void record.refetch()} />
      ) : record.isPending ? (
        <Loading />
      ) : (
        <>
          <Head record={{ ...record.data, ...state.data }} me={me} changed={changed} reload={reload} />
          <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex flex-col gap-6">
              <Reasons explanation={record.data.explanation} />
              <Facts record={{ ...record.data, ...state.data }} />
              <Notes kycRecordId={kycRecordId} notes={notes} me={me} onAdded={reload} />
            </div>
            <TimelineView record={record.data} attempts={attempts} notes={notes.data?.notes ?? []} />
          </div>
        </>
      )}
    </Page>
  );
}

/** Back to the queue, and on to the next case. */
function Way({ kycRecordId }: { kycRecordId: string }) {
  const navigate = useNavigate();
  const [ended, setEnded] = useState(false);
  const next = nextCase(kycRecordId);
  const goOn = () => {
    if (next === undefined) return setEnded(true);
    place.focused = next;
    void navigate({ to: "/records/$kycRecordId", params: { kycRecordId: next } });
  };
  useKeys({ n: goOn });
  return (
    <div className="mb-3 flex items-center justify-between gap-2">
      <Link
        to="/queue"
        search={place.search}
        className="-ml-1.5 inline-flex h-9 items-center gap-1 rounded px-1.5 text-muted hover:text-text"
      >
        <Icon name="back" />
        {say.backAll}
      </Link>
      <span aria-live="polite" className="flex items-center gap-3 text-13 text-muted">
        {ended && say.noNextCase}
        {place.rows.length > 0 && (
          <Button kind="quiet" shortcut="n" onClick={goOn}>
            {say.nextCase}
          </Button>
        )}
      </span>
    </div>
  );
}

function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <div className="rounded border border-line bg-surface">
      <h1 className="sr-only">{say.title}</h1>
      {shownError(error).kind === "not-found" || shownError(error).kind === "invalid" ? (
        <Empty title={say.notFoundTitle} text={say.notFoundText}>
          <Link to="/queue" search={{}} className={buttonClass("plain")}>
            {say.toQueue}
          </Link>
        </Empty>
      ) : (
        <ErrorState error={error} onRetry={onRetry} />
      )}
    </div>
  );
}
