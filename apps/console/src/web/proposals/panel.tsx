import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import type { Proposal, ProposalDetails } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Personal } from "../ui/personal.tsx";
import { RecentSignIn, useIsRecent } from "../ui/recent-sign-in.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { type Decision, scopeOfKind } from "./kinds.ts";
import { aboutOf, subjectOf } from "./names.ts";
import { words } from "./words.ts";

const { facts } = words;

interface Props {
  proposal: Proposal;
  isPending: boolean;
  onDecide(decision: Decision): void;
}

/** An open proposal where its subject is: who asks, what happens, what changes, and the decision. */
export function Panel({ proposal, isPending, onDecide }: Props) {
  const { proposalId, kind, platformName, expiresAt } = proposal;
  const name = subjectOf(proposal);
  // It has new identifiers of a person, which nothing keeps once nothing shows them.
  const { data, error, refetch } = useQuery(api.proposals.get.queryOptions({ proposalId }, { gcTime: 0 }));
  return (
    <section
      aria-label={words.asks[kind](name)}
      className="mb-4 rounded border border-attention-line bg-surface px-4 py-4 md:px-5"
    >
      <p className="text-13 text-muted">
        {words.open} · {facts.expiresAt} <Time at={expiresAt} />
      </p>
      <h2 className="mt-1 max-w-[72ch] text-16 font-semibold text-pretty">{words.asks[kind](name)}</h2>
      <p className="max-w-[72ch] text-muted">
        {shared.proposals.happens[kind](shortId(aboutOf(proposal)), platformName)}{" "}
        {kind === "liftHold" && words.liftVoids}
      </p>
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bar className="mt-3 h-16 w-full" />
      ) : (
        <dl className="mt-3 grid max-w-[80ch] grid-cols-[112px_minmax(0,1fr)] gap-x-3 gap-y-1">
          <Personal>
            {changesOf(data).map(([fact, value]) => (
              <Change key={fact} name={fact} value={value} />
            ))}
          </Personal>
          <Change name={facts.note} value={data.note ?? facts.noNote} />
        </dl>
      )}
      <Decide proposal={proposal} isPending={isPending} onDecide={onDecide} />
    </section>
  );
}

const Change = ({ name, value }: { name: string; value: string }) => (
  <>
    <dt className="text-13 text-muted">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap">{value}</dd>
  </>
);

/** What is different after the confirmation. */
function changesOf(proposal: ProposalDetails): (readonly [string, string])[] {
  const { kind, subStatus, cardAccountId, email, memberId, reference } = proposal;
  const outcomes: Record<string, string> = shared.decision.outcomeOf;
  if (kind === "approve")
    return [
      [facts.status, subStatus === null ? shared.status.approved : (outcomes[subStatus] ?? subStatus)],
      [facts.cardAccount, cardAccountId ?? facts.noAccount],
    ];
  if (kind === "relink")
    return [
      [facts.email, email ?? facts.stays],
      [facts.memberId, memberId ?? facts.stays],
    ];
  return kind === "liftHold" ? [[facts.reference, reference ?? shared.none]] : [];
}

/** Confirms, withdraws or refuses a proposal, or says why the person may not. */
function Decide({ proposal, isPending, onDecide }: Props) {
  const { me, may } = useMe();
  const [asked, setAsked] = useState<Decision>();
  const isRecent = useIsRecent();
  const { kind, mayConfirm, mayWithdraw, platformName, evidenceOpened } = proposal;
  const looked = lookedBy(evidenceOpened);
  const name = subjectOf(proposal);
  const isOwn = proposal.proposer !== null && proposal.proposer.personId === me?.personId;
  const dialog = (decision: Decision) => ({
    open: asked === decision,
    onClose: () => setAsked(undefined),
    running: words.confirming,
    mutation: { isPending, error: undefined },
    onAct: () => {
      setAsked(undefined);
      onDecide(decision);
    },
  });
  return (
    <div className="mt-3 flex flex-col gap-3">
      {me && !mayConfirm && (
        <p className="text-muted">
          {isOwn ? words.mayNotOwn : may(scopeOfKind[kind]) ? words.noticeWaits : words.mayNotRole}
        </p>
      )}
      {evidenceOpened && (mayConfirm || isOwn) && (
        <Notice meaning={looked === "both" ? "plain" : "attention"}>
          {isOwn ? words.ownLooked[evidenceOpened.caller ? "yes" : "no"] : words.looked[looked](name)}
        </Notice>
      )}
      {mayConfirm && !isRecent && <RecentSignIn />}
      <div className="flex flex-wrap gap-2 empty:hidden">
        {mayConfirm && (
          <Button
            kind={kind === "erase" ? "danger" : "primary"}
            disabled={!isRecent || isPending || looked !== "both"}
            onClick={() => setAsked("confirm")}
          >
            {words.confirmDots}
          </Button>
        )}
        {mayWithdraw && (
          <Button disabled={isPending} onClick={() => setAsked("withdraw")}>
            {isOwn ? words.withdraw : words.refuse}
          </Button>
        )}
      </div>
      <ActDialog
        {...dialog("confirm")}
        title={words.kindOf[kind]}
        happens={shared.proposals.happens[kind](shortId(aboutOf(proposal)), platformName)}
        act={words.confirm}
        {...(kind === "erase" && { word: words.confirmWord })}
      />
      <ActDialog
        {...dialog("withdraw")}
        title={isOwn ? words.withdrawTitle : words.refuseTitle}
        happens={isOwn ? words.withdrawText : words.refuseText(name)}
        act={isOwn ? words.withdrawAct : words.refuseAct}
      />
    </div>
  );
}

/** Who of the proposer and the reader has opened the evidence. Other acts have none. */
function lookedBy(opened: Proposal["evidenceOpened"]): keyof typeof words.looked {
  if (opened === null || (opened.caller && opened.proposer)) return "both";
  if (opened.caller) return "you";
  return opened.proposer ? "they" : "neither";
}
