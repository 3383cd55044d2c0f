import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { Me } from "../api/shapes.ts";
import { readsProposals } from "../lib/scopes.ts";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { subjectOf } from "./names.ts";

const { proposals: say } = words;

interface Props {
  about: { kycRecordId: string } | { externalUserId: string; platformIds: [string] };
  me: Me | undefined;
}

/** The open proposals about a record or a user, each with the way to it. */
export function OpenProposals({ about, me }: Props) {
  const options = api.proposals.list.queryOptions({ ...about, state: "open" });
  const open = useQuery({ ...options, enabled: readsProposals(me) }).data?.proposals ?? [];
  return open.map((proposal) => (
    <Notice
      key={proposal.proposalId}
      meaning={proposal.mayConfirm ? "attention" : "waiting"}
      className="mb-4"
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{say.notice[proposal.kind](subjectOf(proposal))}</span>
        <span>
          {proposal.mayConfirm ? say.noticeYou : say.noticeWaits} {say.facts.expiresAt}{" "}
          <Time at={proposal.expiresAt} />.
        </span>
        <Link
          to="/proposals/$proposalId"
          params={{ proposalId: proposal.proposalId }}
          className="font-medium underline underline-offset-3"
        >
          {words.acts.toProposal}
        </Link>
      </p>
    </Notice>
  ));
}
