import { useQuery } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";
import type { Proposal } from "../api/shapes.ts";
import { useMe } from "../lib/use-me.ts";
import { proposalScopes } from "./kinds.ts";

const countMs = 60_000;

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
