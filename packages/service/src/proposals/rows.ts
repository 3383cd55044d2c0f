import type { Proposal, ProposalReader } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { persons, platforms, proposals } from "../database/schema.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";

const current = sql`proposal_version(${proposals.kind}, ${proposals.platformId}, ${proposals.userId}, ${proposals.recordId}, ${proposals.holdId})`;

const isProposerBlocked = sql`exists (select from ${persons} as k where k.id = ${proposals.proposer} and k.blocked_at is not null)`;

const hasOpened = (personId: SQL) =>
  sql<boolean>`has_opened_evidence(${proposals.platformId}, ${proposals.recordId}, ${personId}, ${proposals.evidenceHash})`;

/** The state of a proposal. It is void and expired without a change of its row. */
export const proposalState = sql<Proposal["state"]>`case
  when ${proposals.decision} is not null then ${proposals.decision}
  when ${proposals.expiresAt} <= clock_timestamp() then 'expired'
  when ${proposals.seen} is distinct from ${current} or ${isProposerBlocked} then 'void'
  else 'open' end`;

/** Proposals that may be open. An index finds them. */
export const maybeOpen = sql`${proposals.decision} is null and ${proposals.expiresAt} > now()`;

/** The columns of a proposal whose persons have no names yet. */
export const proposalFields = ({ personId }: Pick<ProposalReader, "personId">) => ({
  proposalId: proposals.id,
  kind: proposals.kind,
  state: proposalState,
  platformId: proposals.platformId,
  platformName: platforms.name,
  externalUserId: proposals.userId,
  kycRecordId: proposals.recordId,
  holdId: proposals.holdId,
  evidenceHash: proposals.evidenceHash,
  proposerOpened: hasOpened(sql`${proposals.proposer}`),
  callerOpened: hasOpened(sql`${personId}::text`),
  proposer: proposals.proposer,
  proposedBy: proposals.actor,
  proposedAt: shownMoment(sql`${proposals.proposedAt}`),
  expiresAt: shownMoment(sql`${proposals.expiresAt}`),
  decider: sql<string | null>`coalesce(${proposals.confirmer}, ${proposals.withdrawer})`,
  decidedAt: shownMoment(sql`${proposals.decidedAt}`) as SQL<string | null>,
});

export type ProposalRow = Omit<
  Proposal,
  "proposer" | "decidedBy" | "evidenceOpened" | "mayConfirm" | "mayWithdraw"
> & {
  proposer: string | null;
  decider: string | null;
  proposerOpened: boolean;
  callerOpened: boolean;
};

/** Adds the names of the persons, and what the reader may do. */
export async function toProposals(
  rows: readonly ProposalRow[],
  reader: ProposalReader,
  names: NamePorts,
): Promise<Proposal[]> {
  const personOf = await namedPersons(
    names,
    rows.flatMap(({ proposer, decider }) => [proposer, decider]),
  );
  return rows.map(({ proposer, decider, proposerOpened, callerOpened, ...row }) => {
    const mayDecide = row.state === "open" && reader.kinds.includes(row.kind);
    // The openings of a proposal that is not open are deleted some time.
    const isOpenApproval = row.state === "open" && row.kind === "approve";
    return {
      ...row,
      evidenceOpened: isOpenApproval ? { proposer: proposerOpened, caller: callerOpened } : null,
      proposer: personOf(proposer),
      decidedBy: personOf(decider),
      mayConfirm: mayDecide && reader.personId !== null && reader.personId !== proposer,
      mayWithdraw: mayDecide,
    };
  });
}
