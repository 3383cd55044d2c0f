import { Link } from "@tanstack/react-router";
import { api, client } from "../api/client.ts";
import type { Proposal } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { useFourEyes } from "../lib/use-four-eyes.ts";
import { useMe } from "../lib/use-me.ts";
import { usePages } from "../lib/use-pages.ts";
import { shared } from "../lib/words.ts";
import { Head } from "../ui/head.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { aboutOf, linkOf, markOf, proposerOf } from "./names.ts";
import { words } from "./words.ts";

const { columns: names } = words;

const Cut = ({ text }: { text: string }) => (
  <span title={text} className="block max-w-48 truncate text-muted">
    {text}
  </span>
);

/** The acts that one person proposed, and another one confirms. Those that are open are of the last 24 hours, and first. */
export function ProposalsPage() {
  const { me } = useMe();
  const fourEyes = useFourEyes();
  const list = usePages(api.proposals.list.pathKey(), (page, signal) =>
    client.proposals.list.query(page, { signal }),
  );
  const proposals = list.data && list.pages.flatMap((page) => page.proposals);
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
    { name: names.end, right: true, cell: (proposal) => <End proposal={proposal} /> },
  ];
  return (
    <Page>
      <Head title={words.title} lead={fourEyes ? words.lead : words.leadAlone} />
      <ListState
        query={list}
        empty={proposals?.length === 0}
        nothing={{ title: words.empty, text: fourEyes ? words.emptyText : words.emptyAlone }}
      >
        <Table
          label={words.title}
          columns={columns}
          rows={proposals}
          keyOf={({ proposalId }) => proposalId}
        />
      </ListState>
      <More query={list} />
    </Page>
  );
}

/** Until when it can be confirmed, when and by whom it was decided, or why nobody can confirm it. */
function End({ proposal: { state, expiresAt, decidedAt, decidedBy } }: { proposal: Proposal }) {
  if (state === "void") return words.moved;
  if (decidedAt === null) {
    return (
      <>
        {state === "open" && words.expires} <Time at={expiresAt} />
      </>
    );
  }
  return (
    <>
      <Time at={decidedAt} /> {decidedBy && words.decidedBy(decidedBy.name ?? shared.person.unnamed)}
    </>
  );
}
