import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import { ProposalList } from "./list.tsx";
import type { ProposalSearch } from "./search.ts";
import { ProposalTabs } from "./tabs.tsx";
import { useProposals, useWaitingCount } from "./use-proposals.ts";

const { proposals: say } = words;

/** The acts that one person proposed, and another one confirms. */
export function ProposalsPage() {
  usePageTitle(say.title);
  const search: ProposalSearch = useSearch({ from: "/proposals" });
  const me = useQuery(api.persons.me.queryOptions({})).data;
  const waiting = useWaitingCount(me);
  const list = useProposals(search);
  const tab = search.tab ?? "waiting";
  return (
    <Page>
      <h1 className="text-20 font-semibold tracking-tight">{say.title}</h1>
      <p className="mb-3 max-w-[72ch] text-muted">{say.lead}</p>
      <ProposalTabs search={search} waiting={waiting} />
      <div className="mt-3 rounded border border-line bg-surface">
        {list.isError ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : list.isPending ? (
          <div aria-busy="true" className="flex flex-col gap-3 p-4">
            <Bar className="h-5 w-3/4" />
            <Bar className="h-5 w-2/3" />
            <Bar className="h-5 w-3/4" />
          </div>
        ) : list.proposals.length === 0 && !list.hasNextPage ? (
          <Empty title={say.empty[tab]} text={say.empty[`${tab}Text`]}>
            {tab === "waiting" && (
              <Link to="/proposals" search={{ tab: "open" }} className={buttonClass("plain")}>
                {say.empty.link}
              </Link>
            )}
          </Empty>
        ) : (
          <ProposalList proposals={list.proposals} me={me} decided={tab === "decided"} />
        )}
      </div>
      {list.hasNextPage && (
        <Button className="mt-3" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {list.isFetchingNextPage ? words.queue.loading : say.more}
        </Button>
      )}
    </Page>
  );
}
