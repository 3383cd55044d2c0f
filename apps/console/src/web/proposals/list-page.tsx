import { Link, useSearch } from "@tanstack/react-router";
import type { Me, Proposal } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { useFourEyes } from "../lib/use-four-eyes.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { Head, TabLinks } from "../ui/head.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { aboutOf, linkOf, markOf, proposerOf } from "./names.ts";
import { type ProposalSearch, tabs, useProposals, useWaitingCount } from "./use-proposals.ts";
import { words } from "./words.ts";

const { columns: names } = words;

const Cut = ({ text }: { text: string }) => (
  <span title={text} className="block max-w-48 truncate text-muted">
    {text}
  </span>
);

/** Which proposals: those that wait for the person, the open ones, or the decided ones. */
const ProposalTabs = ({ waiting }: { waiting: number | undefined }) => (
  <TabLinks
    label={words.tabsLabel}
    tabs={tabs.map((tab) => ({
      name: words.tabs[tab],
      link: { to: "/proposals", search: tab === "waiting" ? {} : { tab } },
      bySearch: true,
      count: tab === "waiting" ? waiting : undefined,
    }))}
  />
);

/** The acts that one person proposed, and another one confirms. */
export function ProposalsPage() {
  const search: ProposalSearch = useSearch({ from: "/proposals" });
  const { me } = useMe();
  const fourEyes = useFourEyes();
  const list = useProposals(search);
  const tab = search.tab ?? "waiting";
  const toOpen = (
    <Link to="/proposals" search={{ tab: "open" }} className={buttonClass("plain")}>
      {words.empty.link}
    </Link>
  );
  const text = fourEyes || tab === "decided" ? words.empty[`${tab}Text`] : words.empty.alone;
  return (
    <Page>
      <Head title={words.title} lead={fourEyes ? words.lead : words.leadAlone} />
      <ProposalTabs waiting={useWaitingCount()} />
      <ListState
        query={list}
        empty={list.proposals?.length === 0 && !list.hasNextPage}
        nothing={{ title: words.empty[tab], text, children: tab === "waiting" && toOpen }}
      >
        <ProposalsTable proposals={list.proposals} me={me} decided={tab === "decided"} />
      </ListState>
      <More query={list} />
    </Page>
  );
}

interface Props {
  /** Undefined while they are read. */
  proposals: readonly Proposal[] | undefined;
  me: Me | undefined;
  /** Whether they are decided: the time is then that of the decision. */
  decided: boolean;
}

/** Proposals, newest first. */
function ProposalsTable({ proposals, me, decided }: Props) {
  const columns: Column<Proposal>[] = [
    { name: names.state, cell: (proposal) => <StateMark {...markOf(proposal)} /> },
    {
      name: names.what,
      wide: true,
      cell: (proposal) => (
        <Link
          {...linkOf(proposal)}
          className="inline-flex min-h-6 items-center rounded font-medium text-accent hover:underline"
        >
          {words.kindOf[proposal.kind]}
        </Link>
      ),
    },
    {
      name: names.about,
      cell: (proposal) => (
        <span className="mono" title={aboutOf(proposal)}>
          {shortId(aboutOf(proposal))}
        </span>
      ),
    },
    { name: names.platform, cell: ({ platformName }) => <Cut text={platformName} /> },
    { name: names.by, cell: (proposal) => <Cut text={proposerOf(proposal, me)} /> },
    {
      name: decided ? names.decided : names.expires,
      right: true,
      cell: ({ state, expiresAt, decidedAt, decidedBy }) => {
        const at = state === "open" || state === "expired" ? expiresAt : decidedAt;
        if (at === null) return shared.none;
        return (
          <>
            <Time at={at} /> {decidedBy && `${names.decidedBy} ${decidedBy.name ?? shared.person.unnamed}`}
          </>
        );
      },
    },
  ];
  return (
    <Table label={words.list} columns={columns} rows={proposals} keyOf={({ proposalId }) => proposalId} />
  );
}
