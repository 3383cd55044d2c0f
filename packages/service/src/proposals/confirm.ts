import {
  Failure,
  type NewNote,
  type Observer,
  type ProposalKind,
  proposalDetails,
  proposalReference,
} from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { isUniqueViolation } from "../database/errors.ts";
import { requireRow } from "../database/require-row.ts";
import { proposals, users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { forPersons } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import type { OperationCall } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import type { Ports } from "../operation/ports.ts";
import { decideProposal } from "./decide.ts";
import { readProposal } from "./get.ts";
import { decryptPayload, type ProposalPayload, type ProposalRef } from "./payload.ts";
import { deciderScopes, exampleConfirmed } from "./proposal.ts";

/** The operation that each kind proposes. */
const operations = {
  approve: "records.resolve",
  relink: "users.relink",
  erase: "users.erase",
  liftHold: "holds.lift",
} as const satisfies Record<ProposalKind, string>;

/** A proposal that is confirmed within the current transaction, which holds the locks of `decideProposal`. */
interface Confirmed {
  proposal: ProposalRef;
  payload: ProposalPayload | null;
  /** The proposer's note about an approval, for the record. */
  note: Omit<NewNote, "text">;
  /** The confirming call, with the operation that the proposal proposes. */
  call: OperationCall;
}

type Report = ((observer: Observer) => void) | undefined;

/**
 * Carries out a confirmed proposal in the transaction of the confirmation, and audits it. Its noun owns it. It returns
 * what to report after the commit.
 * @throws Failure of the act.
 */
export type Act = (tx: Tx, keys: PersonalDataKeys, confirmed: Confirmed) => Promise<Report>;

/** The act of each kind of proposal. */
interface Acts extends Record<ProposalKind, Act> {
  /** The current hash of the evidence of an approval. */
  evidenceHashOf(ports: Ports, kycRecordId: string): Promise<string>;
}

/** Confirms what another person proposed, and carries it out. */
export const confirmProposal = ({ evidenceHashOf, ...acts }: Acts) =>
  defineOperation({
    ...forPersons(...deciderScopes),
    recentSignIn: true,
    id: "proposals.confirm",
    kind: "write",
    summary: "Confirm a proposal",
    description:
      "Carries out an act that another person proposed, if what the proposer saw has not changed. The proposer cannot " +
      "confirm it, nor can the command line. An approval needs that both persons have opened the evidence.",
    input: proposalReference,
    rules: [],
    output: proposalDetails,
    example: { input: { proposalId: exampleConfirmed.proposalId }, output: exampleConfirmed },
    errors: [
      "PERSON_REQUIRED",
      "PERSON_BLOCKED",
      "PROPOSAL_NOT_FOUND",
      "PROPOSAL_CONFLICT",
      "KYC_RECORD_CONFLICT",
      "USER_IDENTITY_CONFLICT",
    ],
    // `run` audits a confirmation in its transaction.
    audit: ["PROPOSAL_CONFLICT", "USER_IDENTITY_CONFLICT"],

    async run(ports, call, { proposalId }) {
      const personId = requirePerson(call);
      const { platformId } = call;
      const { kind, state, kycRecordId } = await readProposal(ports, call, proposalId);
      const isOpenApproval = kind === "approve" && state === "open" && kycRecordId !== null;
      const evidenceHash = isOpenApproval ? await evidenceHashOf(ports, kycRecordId) : null;
      const keys = await ports.personalDataKeys();
      const confirmed = ports.database.asPlatform<Report>(platformId, async (tx) => {
        await decideProposal(tx, proposalId, { decision: "confirmed", personId, evidenceHash });
        const found = requireRow(await findEncrypted(tx, platformId, proposalId), "proposal");
        const { encrypted, key, actor, proposer, ref } = found;
        const payload = decryptPayload(encrypted, ref, key, keys.ring);
        const note = { noteId: ports.ids.noteId(), restricted: false, actor, personId: proposer };
        const act = { proposal: ref, payload, note, call: { ...call, operation: operations[kind] } };
        const report = await acts[kind](tx, keys, act);
        return pipelineCommit([audit(tx, call, proposalId)], () => report);
      });
      const report = await confirmed.catch((error: unknown) => {
        // Another user got one of the identifiers since the proposal.
        if (!isUniqueViolation(error)) throw error;
        throw new Failure("USER_IDENTITY_CONFLICT", { audit: { subject: proposalId } });
      });
      report?.(ports.observer);
      return { data: await readProposal(ports, call, proposalId) };
    },
  });

function findEncrypted(tx: Tx, platformId: string, proposalId: string) {
  return tx
    .select({
      ref: {
        proposalId: proposals.id,
        platformId: proposals.platformId,
        kind: proposals.kind,
        externalUserId: proposals.userId,
        kycRecordId: proposals.recordId,
        holdId: proposals.holdId,
      },
      actor: proposals.actor,
      proposer: proposals.proposer,
      encrypted: proposals.encrypted,
      key: { dataKey: users.dataKey, keyVersion: users.keyVersion },
    })
    .from(proposals)
    .innerJoin(users, and(eq(users.platformId, proposals.platformId), eq(users.id, proposals.userId)))
    .where(and(eq(proposals.platformId, platformId), eq(proposals.id, proposalId)));
}
