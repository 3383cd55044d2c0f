import type { AuditOrigin } from "../audit/entry.ts";
import type { Proposal, ProposalDetails } from "../four-eyes/proposal.ts";
import type { ManualDecision } from "../kyc/manual-decision.ts";
import type { RecordChange } from "../kyc/ports.ts";
import type { PersonPlatforms } from "../persons/person.ts";
import type { NewNames } from "../users/inputs.ts";
import type { ProposalListQuery } from "./inputs.ts";

/** The act of a proposal. */
export type ProposedAct =
  | { kind: "approve"; kycRecordId: string; decision: ManualDecision; evidenceHash: string }
  | { kind: "relink"; platformId: string; externalUserId: string; names: NewNames }
  | { kind: "erase"; platformId: string; externalUserId: string }
  | { kind: "liftHold"; platformId: string; holdId: string };

export interface NewProposal {
  proposalId: string;
  act: ProposedAct;
  /** The version that the proposer saw; undefined for the current one. */
  version?: string | undefined;
  note?: string | undefined;
  /** Null for a proposal of the command line. */
  personId: string | null;
  by: AuditOrigin;
}

/** Who reads proposals: a person may confirm what others proposed. */
export interface ProposalReader {
  personId: string | null;
  /** The kinds that the caller's scopes allow. */
  kinds: readonly Proposal["kind"][];
}

/** Why a proposal was not decided. */
export type ProposalConflict =
  | "decided"
  | "expired"
  | "changed"
  | "same-person"
  | "proposer-blocked"
  | "evidence-not-opened"
  | "proposer-evidence-not-opened";

/**
 * Acts that one person proposes and another one confirms. The database refuses the same person twice, and an approval if
 * one of the two has not opened its evidence (gap G38).
 */
export interface Proposals {
  /**
   * In one transaction: stores a proposal with the current version of its subject, and audits it.
   * @throws Failure KYC_RECORD_NOT_FOUND, USER_NOT_FOUND, HOLD_NOT_FOUND; PROPOSAL_CONFLICT for another version, for a
   *   subject that the act cannot change, or if an equal proposal is open.
   */
  create(proposal: NewProposal): Promise<Proposal>;
  /** Null if the proposal does not exist. */
  show(proposalId: string, reader: ProposalReader): Promise<ProposalDetails | null>;
  /** The platform of a proposal; null if it does not exist. */
  platformOf(proposalId: string): Promise<string | null>;
  list(
    platforms: PersonPlatforms,
    query: ProposalListQuery,
    reader: ProposalReader,
  ): Promise<{ proposals: Proposal[]; waitingForMe: number; nextCursor: string | null }>;
  /**
   * In one transaction: confirms a proposal, carries out its act and audits both. Undefined if it does not exist. The
   * proposer's note about an approval becomes the record's note `noteId`.
   * @throws Failure of the act; PERSON_BLOCKED for a person who is blocked or unknown.
   */
  confirm(
    proposalId: string,
    confirmation: { personId: string; evidenceHash: string | null; noteId: string; by: AuditOrigin },
  ): Promise<
    { confirmed: true; change: RecordChange | null } | { confirmed: false; why: ProposalConflict } | undefined
  >;
  /** In one transaction: withdraws an open proposal and audits it. Undefined if it does not exist. */
  withdraw(
    proposalId: string,
    by: AuditOrigin & { personId: string | null },
  ): Promise<{ withdrawn: true } | { withdrawn: false; why: ProposalConflict } | undefined>;
}
