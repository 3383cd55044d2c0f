import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { Me, ProposalDetails } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Id } from "../ui/id.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { Changes } from "./changes.tsx";
import { Decide } from "./decide.tsx";
import { aboutOf, markOf, proposerOf, subjectOf } from "./names.ts";
import { Now } from "./now.tsx";
import { words } from "./words.ts";

const { facts, about } = words;

/** One proposal: what it changes, who proposed it, and the decision about it. */
export function ProposalPage() {
  const { proposalId } = useParams({ from: "/proposals/$proposalId" });
  return <ProposalView key={proposalId} proposalId={proposalId} />;
}

function ProposalView({ proposalId }: { proposalId: string }) {
  usePageTitle(words.title);
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
        {words.back}
      </Link>
      {error ? (
        <div className="rounded border border-line bg-surface">
          <h1 className="sr-only">{words.title}</h1>
          {["not-found", "invalid"].includes(shownError(error).kind) ? (
            <Empty title={words.notFoundTitle} text={words.notFoundText}>
              <Link to="/proposals" search={{}} className={buttonClass("plain")}>
                {words.back}
              </Link>
            </Empty>
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )}
        </div>
      ) : !data ? (
        <div aria-busy="true">
          <h1 className="sr-only">{words.title}</h1>
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

/** Who proposes what, what would happen, and the decision. */
function ProposalHead({ proposal }: { proposal: ProposalDetails }) {
  const { kind, platformName, state, expiresAt } = proposal;
  return (
    <header className="rounded border border-line bg-surface px-4 py-4 md:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <StateMark {...markOf(proposal)} />
        <span className="truncate">{platformName}</span>
        {state === "open" && (
          <span>
            {words.facts.expiresAt.toLowerCase()} <Time at={expiresAt} />
          </span>
        )}
      </div>
      <h1 className="mt-3 max-w-[72ch] text-20 font-semibold tracking-tight text-pretty">
        {words[state === "open" ? "asks" : "asked"][kind](subjectOf(proposal))}
      </h1>
      {state === "open" && (
        <p className="mt-1 max-w-[72ch] text-muted">
          {shared.proposals.happens[kind](shortId(aboutOf(proposal)), platformName)}
        </p>
      )}
      <Decide proposal={proposal} />
    </header>
  );
}

/** Who proposed and who decided, and when. */
function About({ proposal, me }: { proposal: ProposalDetails; me: Me | undefined }) {
  const { evidenceHash, decidedBy, decidedAt } = proposal;
  const ends = proposal.state === "open" || proposal.state === "expired";
  const decider = decidedBy?.personId === me?.personId ? words.you : decidedBy?.name;
  return (
    <Section title={about}>
      <Card>
        <dl>
          <Fact name={facts.proposedBy}>{proposerOf(proposal, me)}</Fact>
          <Fact name={facts.proposedAt}>
            <Time at={proposal.proposedAt} copy />
          </Fact>
          {ends && (
            <Fact name={facts.expiresAt}>
              <Time at={proposal.expiresAt} copy />
            </Fact>
          )}
          {decidedBy && <Fact name={facts.decidedBy}>{decider ?? shared.person.unnamed}</Fact>}
          {decidedAt !== null && (
            <Fact name={facts.decidedAt}>
              <Time at={decidedAt} copy />
            </Fact>
          )}
          {evidenceHash !== null && (
            <Fact name={facts.evidence}>
              <Id id={evidenceHash} />
            </Fact>
          )}
        </dl>
      </Card>
    </Section>
  );
}
