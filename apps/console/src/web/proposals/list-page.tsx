import { Link, useSearch } from "@tanstack/react-router";
import type { Me, Proposal } from "../api/shapes.ts";
import { useFourEyes } from "../lib/use-four-eyes.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { Head, TabLinks } from "../ui/head.tsx";
import { Id } from "../ui/id.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { markOf, proposerOf } from "./names.ts";
import { type ProposalSearch, tabs } from "./search.ts";
import { useProposals, useWaitingCount } from "./use-proposals.ts";
import { words } from "./words.ts";

const { columns: names } = words;

const About = ({ platformId, externalUserId, kycRecordId }: Proposal) =>
  kycRecordId === null ? (
    <Id
      id={externalUserId}
      to={{ to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId } }}
    />
  ) : (
    <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
  );

const Cut = ({ text }: { text: string }) => (
  <span title={text} className="block max-w-48 truncate text-muted">
    {text}
  </span>
);

/** Which proposals: those that wait for the person, the open ones, or the decided ones. */
const ProposalTabs = ({ search, waiting }: { search: ProposalSearch; waiting: number | undefined }) => (
  <TabLinks
    label={words.tabsLabel}
    tabs={tabs.map((tab) => ({
      name: words.tabs[tab],
      link: { to: "/proposals", search: { ...search, tab: tab === "waiting" ? undefined : tab } },
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
      <ProposalTabs search={search} waiting={useWaitingCount()} />
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
      cell: ({ proposalId, kind }) => (
        <Link
          to="/proposals/$proposalId"
          params={{ proposalId }}
          className="inline-flex min-h-6 items-center rounded font-medium text-accent hover:underline"
        >
          {words.kindOf[kind]}
        </Link>
      ),
    },
    { name: names.about, cell: (proposal) => <About {...proposal} /> },
    { name: names.platform, cell: ({ platformName }) => <Cut text={platformName} /> },
    { name: names.by, cell: (proposal) => <Cut text={proposerOf(proposal, me)} /> },
    {
      name: decided ? names.decided : names.expires,
      right: true,
      cell: ({ state, expiresAt, decidedAt }) => {
        const at = state === "open" || state === "expired" ? expiresAt : decidedAt;
        return at === null ? shared.none : <Time at={at} />;
      },
    },
  ];
  return (
    <Table label={words.list} columns={columns} rows={proposals} keyOf={({ proposalId }) => proposalId} />
  );
}
