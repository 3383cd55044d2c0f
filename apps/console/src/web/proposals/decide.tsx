import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import type { ProposalDetails } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { RecentSignIn, useIsRecent } from "../ui/recent-sign-in.tsx";
import { scopeOfKind } from "./kinds.ts";
import { aboutOf, subjectOf } from "./names.ts";
import { words } from "./words.ts";

const { conflict } = words;

/** Confirms, withdraws or refuses a proposal, or says why the person may not. */
export function Decide({ proposal }: { proposal: ProposalDetails }) {
  const { me, may } = useMe();
  const [asked, setAsked] = useState<"confirm" | "withdraw">();
  const { mutate, isPending, error, data, variables, reset } = useDecideProposal(proposal);
  const isRecent = useIsRecent();
  const { kind, mayConfirm, mayWithdraw, platformName, state, evidenceOpened } = proposal;
  const looked = lookedBy(evidenceOpened);
  const isOwn = proposal.proposer !== null && proposal.proposer.personId === me?.personId;
  const ask = (act: "confirm" | "withdraw") => {
    reset();
    setAsked(act);
  };
  const run = (act: "confirm" | "withdraw") => mutate(act, { onSettled: () => setAsked(undefined) });
  const common = {
    onClose: () => setAsked(undefined),
    running: words.confirming,
    mutation: { isPending, error: undefined },
  };
  return (
    <div className="mt-3 flex flex-col gap-3 empty:hidden">
      {state === "open" && me && !mayConfirm && !data && (
        <Notice meaning="plain">
          {isOwn ? words.mayNotOwn : may(scopeOfKind[kind]) ? words.noticeWaits : words.mayNotRole}
        </Notice>
      )}
      {mayConfirm && evidenceOpened && (
        <Notice meaning={looked === "both" ? "plain" : "attention"}>
          {words.looked[looked](subjectOf(proposal))}
        </Notice>
      )}
      {state === "open" && mayConfirm && !isRecent && <RecentSignIn />}
      {state === "open" && (mayConfirm || mayWithdraw) && (
        <div className="flex flex-wrap gap-2">
          {mayConfirm && (
            <Button
              kind={kind === "erase" ? "danger" : "primary"}
              disabled={!isRecent || isPending || looked !== "both"}
              onClick={() => ask("confirm")}
            >
              {words.confirmDots}
            </Button>
          )}
          {mayWithdraw && (
            <Button disabled={isPending} onClick={() => ask("withdraw")}>
              {isOwn ? words.withdraw : words.refuse}
            </Button>
          )}
        </div>
      )}
      <div role="status" className="empty:hidden">
        {error ? (
          <ActError error={error} text={conflictWords(error)} />
        ) : data ? (
          <Notice meaning={variables === "confirm" ? "good" : "plain"}>
            {variables === "withdraw"
              ? words.withdrawn
              : kind === "erase"
                ? words.confirmedErase
                : words.confirmed}
          </Notice>
        ) : null}
      </div>
      <ActDialog
        {...common}
        open={asked === "confirm"}
        title={words.confirmTitle[kind]}
        happens={shared.proposals.happens[kind](shortId(aboutOf(proposal)), platformName)}
        act={words.confirm}
        {...(kind === "erase" && { word: words.confirmWord })}
        onAct={() => run("confirm")}
      />
      <ActDialog
        {...common}
        open={asked === "withdraw"}
        title={isOwn ? words.withdrawTitle : words.refuseTitle}
        happens={isOwn ? words.withdrawText : words.refuseText(subjectOf(proposal))}
        act={isOwn ? words.withdrawAct : words.refuseAct}
        onAct={() => run("withdraw")}
      />
    </div>
  );
}

/** Who of the proposer and the reader has opened the evidence. Other acts have none. */
function lookedBy(opened: ProposalDetails["evidenceOpened"]): keyof typeof words.looked {
  if (opened === null || (opened.caller && opened.proposer)) return "both";
  if (opened.caller) return "you";
  return opened.proposer ? "they" : "neither";
}

/** Confirms or withdraws a proposal. Everything that it is about is read again, also after a refusal. */
function useDecideProposal({ proposalId, kycRecordId }: ProposalDetails) {
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
function conflictWords(error: unknown): string | undefined {
  const { code, rule } = shownError(error);
  return code === "PROPOSAL_CONFLICT" ? (conflict as Record<string, string>)[rule ?? ""] : undefined;
}
