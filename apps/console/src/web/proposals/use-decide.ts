import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { ProposalDetails } from "../api/shapes.ts";
import { words } from "../words.ts";

const { conflict } = words.proposals;

/** Confirms or withdraws a proposal. Everything that it is about is read again, also after a refusal. */
export function useDecideProposal({ proposalId, kycRecordId }: ProposalDetails) {
  const queries = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (act: "confirm" | "withdraw") => client.proposals[act].mutate({ proposalId }),
    onSettled: async (_data, error) => {
      // Without an answer nobody knows the state, and with a conflict it is not the one that is shown.
      if (error && shownError(error).kind === "signed-out") return;
      await Promise.all([
        queries.invalidateQueries(api.proposals.pathFilter()),
        queries.invalidateQueries(api.users.show.queryFilter()),
        queries.invalidateQueries(api.holds.list.queryFilter()),
        queries.invalidateQueries({ queryKey: ["record", kycRecordId] }),
        kycRecordId !== null && queries.invalidateQueries(api.records.state.queryFilter({ kycRecordId })),
      ]);
    },
  });
}

/** Why a proposal was not decided, and what to do; undefined if the service's own words are all there is. */
export function conflictWords(error: unknown): string | undefined {
  const { code, rule } = shownError(error);
  return code === "PROPOSAL_CONFLICT" ? (conflict as Record<string, string>)[rule ?? ""] : undefined;
}
