import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, background, client } from "../api/client.ts";
import type { Proposal } from "../api/shapes.ts";
import { useMe } from "../lib/use-me.ts";
import { proposalScopes } from "./kinds.ts";

const countMs = 60_000;

export const tabs = ["waiting", "open", "decided"] as const;

/** Which proposals the list shows; without a tab, those that wait for the person. */
export interface ProposalSearch {
  tab?: Exclude<(typeof tabs)[number], "waiting">;
}

export const validateProposalSearch = ({ tab }: Record<string, unknown>): ProposalSearch =>
  tab === "open" || tab === "decided" ? { tab } : {};

/** Whom proposals are about. */
export type About = { kycRecordId: string } | { externalUserId: string; platformIds: [string] };

/** The number of proposals that wait for the person, counted again every minute. Nothing for whoever reads none. */
export function useWaitingCount(): number | undefined {
  const { may } = useMe();
  const options = api.proposals.list.queryOptions({ waitingForMe: true, limit: 1 }, background);
  return useQuery({ ...options, enabled: may(...proposalScopes), refetchInterval: countMs }).data
    ?.waitingForMe;
}

/** The open proposals about a record or a user; none for whoever reads none. */
export function useOpenProposals(about: About): Proposal[] {
  const { may } = useMe();
  const options = api.proposals.list.queryOptions({ ...about, state: "open" });
  return useQuery({ ...options, enabled: may(...proposalScopes) }).data?.proposals ?? [];
}

/** The proposals of a tab, newest first. */
export function useProposals({ tab }: ProposalSearch) {
  const list = useInfiniteQuery({
    queryKey: [...api.proposals.list.pathKey(), "pages", tab],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      client.proposals.list.query(
        {
          ...(tab === undefined && { waitingForMe: true as const }),
          ...(tab === "open" && { state: "open" as const }),
          ...(pageParam !== "" && { cursor: pageParam }),
        },
        { signal },
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const all = list.data?.pages.flatMap(({ proposals }) => proposals);
  const proposals = tab === "decided" ? all?.filter(({ state }) => state !== "open") : all;
  return { ...list, proposals };
}
