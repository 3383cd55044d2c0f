import type { Persons, Proposal, ProposalReader } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import { namedPersons } from "../persons/named-persons.ts";
import { shownMoment } from "../schema/columns.ts";
import { platforms, proposals } from "../schema.ts";

const current = sql`proposal_version(${proposals.kind}, ${proposals.platformId}, ${proposals.userId}, ${proposals.recordId}, ${proposals.holdId})`;

/** The state of a proposal. It is void and expired without a change of its row. */
export const proposalState = sql<Proposal["state"]>`case
  when ${proposals.decision} is not null then ${proposals.decision}
  when ${proposals.expiresAt} <= clock_timestamp() then 'expired'
  when ${proposals.seen} is distinct from ${current} then 'void'
  else 'open' end`;

/** Proposals that may be open. An index finds them. */
export const maybeOpen = sql`${proposals.decision} is null and ${proposals.expiresAt} > now()`;

/** The columns of a proposal whose persons have no names yet. */
export const proposalFields = {
  proposalId: proposals.id,
  kind: proposals.kind,
  state: proposalState,
  platformId: proposals.platformId,
  platformName: platforms.name,
  externalUserId: proposals.userId,
  kycRecordId: proposals.recordId,
  holdId: proposals.holdId,
  evidenceHash: proposals.evidenceHash,
  proposer: proposals.proposer,
  proposedBy: proposals.actor,
  proposedAt: shownMoment(sql`${proposals.proposedAt}`),
  expiresAt: shownMoment(sql`${proposals.expiresAt}`),
  decider: sql<string | null>`coalesce(${proposals.confirmer}, ${proposals.withdrawer})`,
  decidedAt: shownMoment(sql`${proposals.decidedAt}`) as SQL<string | null>,
};

export type ProposalRow = Omit<Proposal, "proposer" | "decidedBy" | "mayConfirm" | "mayWithdraw"> & {
  proposer: string | null;
  decider: string | null;
};

/** Adds the names of the persons, and what the reader may do. */
export async function toProposals(
  rows: readonly ProposalRow[],
  reader: ProposalReader,
  names: Persons["names"],
): Promise<Proposal[]> {
  const personOf = await namedPersons(
    names,
    rows.flatMap(({ proposer, decider }) => [proposer, decider]),
  );
  return rows.map(({ proposer, decider, ...row }) => {
    const mayDecide = row.state === "open" && reader.kinds.includes(row.kind);
    return {
      ...row,
      proposer: personOf(proposer),
      decidedBy: personOf(decider),
      mayConfirm: mayDecide && reader.personId !== null && reader.personId !== proposer,
      mayWithdraw: mayDecide,
    };
  });
}
