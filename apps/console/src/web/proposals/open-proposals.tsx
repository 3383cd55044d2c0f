import { Link } from "@tanstack/react-router";
import type { Proposal } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { aboutOf, subjectOf } from "./names.ts";
import { words } from "./words.ts";

/** The open proposals about a record or a user, each with the way to it. */
export function OpenProposals({ proposals }: { proposals: readonly Proposal[] }) {
  return proposals.map((proposal) => (
    <Notice
      key={proposal.proposalId}
      meaning={proposal.mayConfirm ? "attention" : "waiting"}
      className="mb-4"
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">
          {words.notice[proposal.kind](subjectOf(proposal), shortId(aboutOf(proposal)))}
        </span>
        <span>
          {proposal.mayConfirm ? words.noticeYou : words.noticeWaits} {words.facts.expiresAt}{" "}
          <Time at={proposal.expiresAt} />.
        </span>
        <Link
          to="/proposals/$proposalId"
          params={{ proposalId: proposal.proposalId }}
          className="font-medium underline underline-offset-3"
        >
          {words.toProposal}
        </Link>
      </p>
    </Notice>
  ));
}
