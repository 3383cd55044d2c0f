import {
  explainsRejection,
  Failure,
  type ManualDecision,
  needsTwoPersons,
  noCardNumber,
  type Policies,
  type RecordChange,
  resolvedRecord,
  resolveRecordInput,
} from "@cardbridge/domain";
import { pipelineCommit } from "../database/statements.ts";
import { currentEvidenceHash } from "../evidence/evidence.ts";
import { hasOpenedEvidence } from "../evidence/openings.ts";
import { observeChange } from "../kyc/observe.ts";
import { forOperators } from "../operation/actors.ts";
import { actorOf, type Call, type OperationCall, originOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { requirePerson } from "../operation/person.ts";
import type { Ports } from "../operation/ports.ts";
import { propose } from "../proposals/propose.ts";
import { applyDecision } from "./apply-decision.ts";
import { exampleDetails, exampleResolved } from "./example.ts";
import { readRecord, recordConflict } from "./record.ts";

/** Resolves an unresolved record with the provider's decision, which an operator enters. */
export const resolveRecord = ({ fourEyes }: Pick<Policies, "fourEyes">) =>
  defineOperation({
    ...forOperators("ops.records.decide"),
    recentSignIn: true,
    id: "records.resolve",
    kind: "write",
    summary: "Resolve a record manually",
    description:
      "Resolves an unresolved record with a decision that the provider communicated to an operator. A later decision " +
      "from the provider's API replaces it. An approval, and a decision that names a card account, needs a person who has " +
      "opened the evidence. It is only proposed, and another person confirms it, unless FOUR_EYES is off.",
    input: resolveRecordInput,
    rules: [noCardNumber, explainsRejection],
    output: resolvedRecord,
    example: {
      input: {
        kycRecordId: exampleDetails.kycRecordId,
        decision: { outcome: "answered", subStatus: "approved", cardAccountId: "acct_0a1b2c3d" },
        note: "The provider confirmed the approval by telephone, case 4711.",
      },
      output: { before: exampleDetails, after: exampleResolved, proposal: null },
    },
    errors: ["PERSON_REQUIRED", "KYC_RECORD_NOT_FOUND", "KYC_RECORD_CONFLICT", "PROPOSAL_CONFLICT"],
    // `decide` audits in its transaction.
    audit: [],

    async run(ports, call, { kycRecordId, decision, version, note, evidenceHash: seen }) {
      const { platformId } = call;
      const read = () => readRecord(ports, platformId, kycRecordId);
      const before = await read();
      if (before.resolution !== "unresolved") throw resolvedBefore();
      const approves = needsTwoPersons(decision);
      const evidenceHash =
        approves || seen ? await currentEvidenceHash(ports, { platformId, kycRecordId }) : undefined;
      if (seen !== undefined && seen !== evidenceHash) {
        throw recordConflict("The evidence is not the one that you saw. Open it again.");
      }
      // With four eyes off, the command line decides without looking. An alarm reports what it did.
      if (approves && evidenceHash !== undefined && (fourEyes || call.kind !== "operator")) {
        const opened = { platformId, kycRecordId, personId: requireReviewer(call), evidenceHash };
        if (!(await hasOpenedEvidence(ports, opened))) throw notOpened();
      }
      if (fourEyes && approves && evidenceHash !== undefined) {
        const act = { kind: "approve" as const, kycRecordId, decision, evidenceHash };
        const proposal = await propose(ports, call, { act, version, note });
        return { data: { before, after: before, proposal } };
      }
      const change = await decide(ports, call, { kycRecordId, decision, version, note });
      observeChange(ports.observer, change);
      return { data: { before, after: await read(), proposal: null } };
    },
  });

interface Decided {
  kycRecordId: string;
  decision: ManualDecision;
  version?: string | undefined;
  note: string;
}

/**
 * In one transaction: resolves a record with its history row, its note and its audit entry.
 * @throws Failure KYC_RECORD_CONFLICT if it is resolved or has another version, or if the note cannot be stored.
 */
async function decide(
  ports: Ports,
  call: OperationCall,
  { kycRecordId, decision, version, note: text }: Decided,
): Promise<RecordChange> {
  const { platformId, person } = call;
  const { ring } = await ports.personalDataKeys();
  const author = { actor: actorOf(call), personId: person?.personId ?? null };
  const noteId = ports.ids.noteId();
  const note = { noteId, text, restricted: false, ...author };
  return ports.database.asPlatform<RecordChange>(platformId, async (tx) => {
    const resolution = { platformId, kycRecordId, decision, version, note, by: originOf(call) };
    const resolved = await applyDecision(tx, ring, resolution);
    if (resolved === "changed") throw recordConflict("The record has changed. Read it again.");
    const { statements, before, record } = resolved;
    if (before.resolution !== "unresolved") throw resolvedBefore();
    return pipelineCommit(statements, ([approvedWithoutEmail]) => ({ before, record, approvedWithoutEmail }));
  });
}

/** @throws Failure PERSON_REQUIRED for a call without a person, who could not have opened the evidence. */
function requireReviewer(call: Call): string {
  if (call.kind !== "operator") return requirePerson(call);
  const message =
    "The command line cannot open the evidence, so it proposes neither an approval nor a card account. Two persons do " +
    "this in the console.";
  throw new Failure("PERSON_REQUIRED", { violations: [{ path: [], rule: "person", message }] });
}

function notOpened(): Failure {
  const message = "You have not opened the evidence at its present state. Open it, and decide then.";
  return new Failure("KYC_RECORD_CONFLICT", {
    violations: [{ path: [], rule: "evidence-not-opened", message }],
  });
}

function resolvedBefore(): Failure {
  return recordConflict("The record is resolved. Only unresolved records can be resolved manually.");
}
