import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import { useMe } from "../lib/use-me.ts";
import { buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import { About } from "./about.tsx";
import { Changes } from "./changes.tsx";
import { ProposalHead } from "./head.tsx";
import { Now } from "./now.tsx";

const { proposals: say } = words;

/** One proposal: what it changes, who proposed it, and the decision about it. */
export function ProposalPage() {
  const { proposalId } = useParams({ from: "/proposals/$proposalId" });
  return <ProposalView key={proposalId} proposalId={proposalId} />;
}

function ProposalView({ proposalId }: { proposalId: string }) {
  usePageTitle(say.title);
  const { me } = useMe();
  // It has new identifiers of a person, which nothing keeps once nothing shows them.
  const { data, error, refetch } = useQuery(api.proposals.get.queryOptions({ proposalId }, { gcTime: 0 }));
  return (
    <Page>
      <Link
        to="/proposals"
        search={{}}
        className="mb-3 -ml-1.5 inline-flex h-9 items-center gap-1 rounded px-1.5 text-muted hover:text-text"
      >
        <Icon name="back" />
        {say.back}
      </Link>
      {error ? (
        <div className="rounded border border-line bg-surface">
          <h1 className="sr-only">{say.title}</h1>
          {["not-found", "invalid"].includes(shownError(error).kind) ? (
            <Empty title={say.notFoundTitle} text={say.notFoundText}>
              <Link to="/proposals" search={{}} className={buttonClass("plain")}>
                {say.back}
              </Link>
            </Empty>
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </div>
      ) : !data ? (
        <div aria-busy="true">
          <h1 className="sr-only">{say.title}</h1>
          <Bar className="h-40 w-full" />
        </div>
      ) : (
        <>
          <ProposalHead proposal={data} />
          <div className="mt-6 grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Changes proposal={data} />
            <div className="flex min-w-0 flex-col gap-6">
              <Now proposal={data} />
              <About proposal={data} me={me} />
            </div>
          </div>
        </>
      )}
    </Page>
  );
}
