import {
  type OperatorScope,
  type Proposal,
  type ProposalDetails,
  type ProposalKind,
  proposalKinds,
} from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { persons, platforms, proposals } from "../database/schema.ts";
import type { Call } from "../operation/call.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";

/** The scope that each act needs, to propose it and to confirm it. */
export const scopeOfKind = {
  approve: "ops.records.decide",
  relink: "ops.users.write",
  erase: "ops.users.write",
  liftHold: "ops.compliance",
} as const satisfies Record<ProposalKind, OperatorScope>;

/** The scopes of persons who decide about at least one kind. */
export const deciderScopes = [...new Set(Object.values(scopeOfKind))];

/** Who reads proposals: a person may confirm what others proposed. */
export interface ProposalReader {
  personId: string | null;
  /** The kinds that the caller's scopes allow. */
  kinds: readonly ProposalKind[];
}

/** Who reads proposals, and the kinds that the caller may decide. The command line reads and withdraws every kind. */
export function readerOf({ person, scopes, kind: caller }: Call): ProposalReader {
  return {
    personId: person?.personId ?? null,
    kinds: proposalKinds.filter((kind) => caller === "operator" || scopes.has(scopeOfKind[kind])),
  };
}

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
  ports: NamePorts,
  rows: readonly ProposalRow[],
  reader: ProposalReader,
): Promise<Proposal[]> {
  const personOf = await namedPersons(
    ports,
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

export const exampleProposal: Proposal = {
  proposalId: "prop_01jexample0000000000000000",
  kind: "approve",
  state: "open",
  platformId: "plt_01jexample0000000000000000",
  platformName: "Example Ltd",
  externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
  kycRecordId: "kyc_01jexample0000000000000000",
  holdId: null,
  evidenceHash: "0".repeat(64),
  evidenceOpened: { proposer: true, caller: false },
  proposer: { personId: "per_01jexample0000000000000000", name: "Ada" },
  proposedBy: "per_01jexample0000000000000000/key_01jexample0000000000000000",
  proposedAt: "2026-01-31T12:45:00.000Z",
  expiresAt: "2026-02-01T12:45:00.000Z",
  decidedBy: null,
  decidedAt: null,
  mayConfirm: true,
  mayWithdraw: false,
};

export const exampleProposalDetails: ProposalDetails = {
  ...exampleProposal,
  note: "The provider confirmed the approval by telephone, case 4711.",
  subStatus: "approved",
  cardAccountId: "acct_0a1b2c3d",
  email: null,
  memberId: null,
  reference: null,
  whenProposed: { erasure: "none", held: false },
  now: { erasure: "none", held: false },
};

export const exampleConfirmed: ProposalDetails = {
  ...exampleProposalDetails,
  state: "confirmed",
  evidenceOpened: null,
  decidedBy: { personId: "per_01jexample0000000000000001", name: "Grace" },
  decidedAt: "2026-01-31T13:00:00.000Z",
  mayConfirm: false,
};
