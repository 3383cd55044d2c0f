import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { Proposal } from "../api/shapes.ts";
import { ActError } from "../ui/act-error.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Decision } from "./kinds.ts";
import { Panel } from "./panel.tsx";
import { words } from "./words.ts";

/** The open proposals about a record or a user, each with its decision, and what came of the last one. */
export function OpenProposals({ proposals }: { proposals: readonly Proposal[] }) {
  const { mutate, isPending, error, data, variables } = useDecideProposal();
  const decision = variables?.decision;
  return (
    <>
      {proposals.map((proposal) => (
        <Panel
          key={proposal.proposalId}
          proposal={proposal}
          isPending={isPending}
          onDecide={(decision) => mutate({ proposal, decision })}
        />
      ))}
      <div role="status" className="mb-4 empty:hidden">
        {error ? (
          <ActError error={error} text={conflictWords(error)} />
        ) : data ? (
          <Notice meaning={decision === "confirm" ? "good" : "plain"}>
            {decision === "withdraw"
              ? words.withdrawn
              : data.kind === "erase"
                ? words.confirmedErase
                : words.confirmed}
          </Notice>
        ) : null}
      </div>
    </>
  );
}

/** Confirms or withdraws a proposal. Everything that it is about is read again, also after a refusal. */
function useDecideProposal() {
  const queries = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: ({ proposal: { proposalId }, decision }: { proposal: Proposal; decision: Decision }) =>
      client.proposals[decision].mutate({ proposalId }),
    onSettled: async (_data, error, { proposal: { kycRecordId } }) => {
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
function conflictWords(error: unknown): string | undefined {
  const { code, rule } = shownError(error);
  return code === "PROPOSAL_CONFLICT" ? (words.conflict as Record<string, string>)[rule ?? ""] : undefined;
}
