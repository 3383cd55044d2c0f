import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ProposalDetails } from "../api/shapes.ts";
import { shared } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { words } from "./words.ts";

const { facts } = words;

/** What the proposal changes about whom, and where to look before deciding. */
export function Changes({ proposal }: { proposal: ProposalDetails }) {
  const { kind, platformId, externalUserId, kycRecordId, note } = proposal;
  const user = { platformId, externalUserId };
  const isApproval = kind === "approve" && kycRecordId !== null;
  return (
    <Section title={words.changes}>
      <Card>
        <dl>
          <Change proposal={proposal} />
          {kycRecordId !== null && (
            <Fact name={facts.record}>
              <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
            </Fact>
          )}
          <Fact name={facts.user}>
            <Id id={externalUserId} to={{ to: "/users/$platformId/$externalUserId", params: user }} />
          </Fact>
          <Fact name={facts.platform}>{proposal.platformName}</Fact>
        </dl>
        <div className="border-t border-line px-4 py-3">
          <h3 className="text-13 text-muted">{facts.note}</h3>
          <p className="mt-1 max-w-[72ch] break-words whitespace-pre-wrap">{note ?? facts.noNote}</p>
        </div>
        <div className="border-t border-line px-4 py-3">
          {isApproval ? (
            <Link to="/records/$kycRecordId" params={{ kycRecordId }} className={buttonClass("plain")}>
              {words.openEvidence}
            </Link>
          ) : (
            <Link to="/users/$platformId/$externalUserId" params={user} className={buttonClass("plain")}>
              {words.openUser}
            </Link>
          )}
        </div>
      </Card>
    </Section>
  );
}

/** What is different after the confirmation. */
function Change({ proposal }: { proposal: ProposalDetails }): ReactNode {
  const { kind, subStatus, cardAccountId, email, memberId, reference, holdId } = proposal;
  if (kind === "approve") {
    return (
      <>
        <Fact name={facts.status}>
          <strong className="font-semibold">{statusWord(subStatus)}</strong>
        </Fact>
        <Fact name={facts.cardAccount}>
          {cardAccountId === null ? facts.noAccount : <Id id={cardAccountId} />}
        </Fact>
      </>
    );
  }
  if (kind === "relink") {
    return (
      <>
        <Fact name={facts.email}>{email === null ? facts.stays : <NewName value={email} />}</Fact>
        <Fact name={facts.memberId}>{memberId === null ? facts.stays : <NewName value={memberId} />}</Fact>
      </>
    );
  }
  if (kind === "erase") {
    return (
      <Fact name={facts.data}>
        <strong className="font-semibold text-bad">{facts.erased}</strong>
      </Fact>
    );
  }
  return (
    <>
      <Fact name={facts.hold}>
        <strong className="font-semibold">{facts.lifted}</strong>
        {holdId !== null && <Id id={holdId} />}
      </Fact>
      <Fact name={facts.reference}>
        <span className="mono break-all">{reference ?? shared.none}</span>
      </Fact>
    </>
  );
}

/** A decision that names a card account is proposed too, with another status. */
function statusWord(subStatus: string | null): string {
  if (subStatus === null || subStatus === "approved") return shared.status.approved;
  return (shared.decision.outcomeOf as Record<string, string>)[subStatus] ?? subStatus;
}

const NewName = ({ value }: { value: string }) => (
  <span className="flex min-w-0 items-center gap-1">
    <strong className="font-semibold wrap-anywhere">{value}</strong>
    <Copy value={value} label={shared.copy.text} />
  </span>
);
