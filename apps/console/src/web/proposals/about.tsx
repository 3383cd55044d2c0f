import type { Me, ProposalDetails } from "../api/shapes.ts";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { proposerOf } from "./names.ts";

const { facts, about } = words.proposals;

/** Who proposed and who decided, and when. */
export function About({ proposal, me }: { proposal: ProposalDetails; me: Me | undefined }) {
  const { evidenceHash, decidedBy, decidedAt } = proposal;
  const ends = proposal.state === "open" || proposal.state === "expired";
  const decider = decidedBy?.personId === me?.personId ? words.proposals.you : decidedBy?.name;
  return (
    <Section title={about}>
      <Card>
        <dl>
          <Fact name={facts.proposedBy}>{proposerOf(proposal, me)}</Fact>
          <Fact name={facts.proposedAt}>
            <Time at={proposal.proposedAt} copy />
          </Fact>
          {ends && (
            <Fact name={facts.expiresAt}>
              <Time at={proposal.expiresAt} copy />
            </Fact>
          )}
          {decidedBy && <Fact name={facts.decidedBy}>{decider ?? words.person.unnamed}</Fact>}
          {decidedAt !== null && (
            <Fact name={facts.decidedAt}>
              <Time at={decidedAt} copy />
            </Fact>
          )}
          {evidenceHash !== null && (
            <Fact name={facts.evidence}>
              <Id id={evidenceHash} />
            </Fact>
          )}
        </dl>
      </Card>
    </Section>
  );
}
