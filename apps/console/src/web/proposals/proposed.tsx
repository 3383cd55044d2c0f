import { Link } from "@tanstack/react-router";
import type { Proposal } from "../api/shapes.ts";
import { Notice } from "../ui/notice.tsx";
import { words } from "./words.ts";

interface Props {
  /** Null if the act is done without a second person. */
  proposal: Proposal | null;
  proposed: string;
  done: string;
}

/** What came of an act that needs two persons. */
export function Proposed({ proposal, proposed, done }: Props) {
  if (!proposal) return <Notice meaning="good">{done}</Notice>;
  return (
    <Notice meaning="waiting">
      <p className="font-medium">{proposed}</p>
      <p>
        {words.proposed}{" "}
        <Link
          to="/proposals/$proposalId"
          params={{ proposalId: proposal.proposalId }}
          className="font-medium underline underline-offset-3"
        >
          {words.toProposal}
        </Link>
      </p>
    </Notice>
  );
}
