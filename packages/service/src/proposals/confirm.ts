import {
  Failure,
  type Observer,
  proposalDetails,
  proposalReference,
  type RecordChange,
} from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { isUniqueViolation } from "../database/errors.ts";
import { proposals, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forPersons } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { type OperationCall, originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import type { Ports } from "../operation/ports.ts";
import type { Acts } from "./acts.ts";
import { decide } from "./decide.ts";
import { findProposal } from "./find.ts";
import { decryptPayload } from "./payload.ts";
import { deciderScopes, exampleConfirmed } from "./proposal.ts";

/** What a confirmation needs of the nouns whose acts it carries out. */
interface Confirming {
  acts: Acts;
  /** The current hash of a record's evidence. @throws Failure KYC_RECORD_NOT_FOUND, KYC_RECORD_CONFLICT. */
  evidenceHashOf(ports: Ports, record: { platformId: string; kycRecordId: string }): Promise<string>;
  /** Reports the change of a record that is approved. */
  observeChange(observer: Observer, change: RecordChange): void;
}

/** Confirms what another person proposed, and carries it out. */
export const confirmProposal = ({ acts, evidenceHashOf, observeChange }: Confirming) =>
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
      requirePerson(call);
      const { kind, state, kycRecordId } = await findProposal(ports, call, proposalId);
      const isOpenApproval = kind === "approve" && state === "open" && kycRecordId !== null;
      const evidenceHash = isOpenApproval
        ? await evidenceHashOf(ports, { platformId: call.platformId, kycRecordId })
        : null;
      const change = await carryOutConfirmed(ports, call, acts, { proposalId, evidenceHash });
      if (change) observeChange(ports.observer, change);
      return { data: await findProposal(ports, call, proposalId) };
    },
  });

/**
 * In one transaction: confirms a proposal, carries out its act and audits both.
 * @throws Failure PROPOSAL_CONFLICT, PERSON_BLOCKED, USER_IDENTITY_CONFLICT; the failures of the act.
 */
export async function carryOutConfirmed(
  ports: Pick<Ports, "database" | "personalDataKeys" | "ids">,
  call: OperationCall,
  acts: Acts,
  { proposalId, evidenceHash }: { proposalId: string; evidenceHash: string | null },
): Promise<RecordChange | null> {
  const { platformId } = call;
  const personId = requirePerson(call);
  const keys = await ports.personalDataKeys();
  const noteId = ports.ids.noteId();
  const confirmed = ports.database.asPlatform<RecordChange | null>(platformId, async (tx) => {
    const [found] = await findEncrypted(tx, platformId, proposalId);
    if (!found) throw new Failure("PROPOSAL_NOT_FOUND");
    await decide(tx, proposalId, { decision: "confirmed", personId, evidenceHash });
    const { encrypted, dataKey, keyVersion, actor, proposer, ...ref } = found;
    const row = { ...ref, platformId, proposalId };
    const payload = decryptPayload(encrypted, row, { dataKey, keyVersion }, keys.ring);
    const note = { noteId, restricted: false, actor, personId: proposer };
    const { operation, carryOut } = acts[row.kind];
    const change = await carryOut(tx, keys, { row, payload, note, by: originOf(call, operation) });
    await audit(tx, call, proposalId);
    return change;
  });
  return confirmed.catch((error: unknown) => {
    // Another user got one of the identifiers since the proposal.
    if (!isUniqueViolation(error)) throw error;
    throw new Failure("USER_IDENTITY_CONFLICT", { subject: proposalId });
  });
}

function findEncrypted(tx: Tx, platformId: string, proposalId: string) {
  return tx
    .select({
      kind: proposals.kind,
      externalUserId: proposals.userId,
      kycRecordId: proposals.recordId,
      holdId: proposals.holdId,
      actor: proposals.actor,
      proposer: proposals.proposer,
      encrypted: proposals.encrypted,
      dataKey: users.dataKey,
      keyVersion: users.keyVersion,
    })
    .from(proposals)
    .innerJoin(users, and(eq(users.platformId, proposals.platformId), eq(users.id, proposals.userId)))
    .where(and(eq(proposals.platformId, platformId), eq(proposals.id, proposalId)));
}
