import { Failure, proposalDetails, proposalReference, type RecordChange } from "@cardbridge/domain";
import { and, eq } from "drizzle-orm";
import { isUniqueViolation } from "../database/errors.ts";
import { requireRow } from "../database/require-row.ts";
import { proposals, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { currentEvidenceHash } from "../evidence/files.ts";
import { observeChange } from "../kyc/observe.ts";
import { forPersons } from "../operation/actors.ts";
import { audit } from "../operation/audit.ts";
import { originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import type { Acts } from "./acts.ts";
import { decide } from "./decide.ts";
import { findProposal } from "./find.ts";
import { decryptPayload } from "./payload.ts";
import { deciderScopes, exampleConfirmed } from "./proposal.ts";

/** Confirms what another person proposed, and carries it out. */
export const confirmProposal = (acts: Acts) =>
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
      const { platformId } = call;
      const personId = requirePerson(call);
      const { kind, state, kycRecordId } = await findProposal(ports, call, proposalId);
      const isOpenApproval = kind === "approve" && state === "open" && kycRecordId !== null;
      const evidenceHash = isOpenApproval ? await currentEvidenceHash(ports, kycRecordId) : null;
      const keys = await ports.personalDataKeys();
      const noteId = ports.ids.noteId();
      const confirmed = ports.database.asPlatform<RecordChange | null>(platformId, async (tx) => {
        const found = requireRow(await findEncrypted(tx, platformId, proposalId), "proposal");
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
      const change = await confirmed.catch((error: unknown) => {
        // Another user got one of the identifiers since the proposal.
        if (!isUniqueViolation(error)) throw error;
        throw new Failure("USER_IDENTITY_CONFLICT", { subject: proposalId });
      });
      if (change) observeChange(ports.observer, change);
      return { data: await findProposal(ports, call, proposalId) };
    },
  });

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
