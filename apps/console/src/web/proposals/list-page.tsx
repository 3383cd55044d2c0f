import { Link, useSearch } from "@tanstack/react-router";
import { useFourEyes } from "../lib/use-four-eyes.ts";
import { useMe } from "../lib/use-me.ts";
import { buttonClass } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { words } from "../words.ts";
import { ProposalsTable } from "./proposals-table.tsx";
import type { ProposalSearch } from "./search.ts";
import { ProposalTabs } from "./tabs.tsx";
import { useProposals, useWaitingCount } from "./use-proposals.ts";

const { proposals: say } = words;

/** The acts that one person proposed, and another one confirms. */
export function ProposalsPage() {
  const search: ProposalSearch = useSearch({ from: "/proposals" });
  const { me } = useMe();
  const fourEyes = useFourEyes();
  const list = useProposals(search);
  const tab = search.tab ?? "waiting";
  const toOpen = (
    <Link to="/proposals" search={{ tab: "open" }} className={buttonClass("plain")}>
      {say.empty.link}
    </Link>
  );
  const text = fourEyes || tab === "decided" ? say.empty[`${tab}Text`] : say.empty.alone;
  return (
    <Page>
      <Head title={say.title} lead={fourEyes ? say.lead : say.leadAlone} />
      <ProposalTabs search={search} waiting={useWaitingCount()} />
      <ListState
        query={list}
        empty={list.proposals?.length === 0 && !list.hasNextPage}
        nothing={{ title: say.empty[tab], text, children: tab === "waiting" && toOpen }}
      >
        <ProposalsTable proposals={list.proposals} me={me} decided={tab === "decided"} />
      </ListState>
      <More query={list} />
    </Page>
  );
}
