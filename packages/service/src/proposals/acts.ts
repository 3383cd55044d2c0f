import type { AuditOrigin, NewNote, ProposalKind, RecordChange } from "@cardbridge/domain";
import type { Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import type { ProposalPayload, ProposalRef } from "./payload.ts";

/** An act that two persons agreed on. */
export interface ConfirmedAct {
  row: ProposalRef;
  payload: ProposalPayload | null;
  /** The proposer's note about an approval, for the record. */
  note: Omit<NewNote, "text">;
  /** The confirming person, with the operation of the act. */
  by: AuditOrigin;
}

/** What the acts of each kind are: the nouns that own them define how they are carried out. */
export type Acts = Record<
  ProposalKind,
  {
    /** The operation that proposes the act. */
    operation: string;
    /**
     * Carries out the act and audits it, in the transaction of the confirmation. It holds the locks of decide_proposal.
     * @throws Failure of the act.
     */
    carryOut(tx: Tx, keys: PersonalDataKeys, act: ConfirmedAct): Promise<RecordChange | null>;
  }
>;
