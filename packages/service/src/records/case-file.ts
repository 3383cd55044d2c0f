import {
  caseFile,
  type NamedPerson,
  type Proposal,
  proposalKinds,
  recordReference,
} from "@cardbridge/domain";
import { proveAbout } from "../audit/proofs.ts";
import { coveredEvidence, evidenceFiles, evidenceHashOf } from "../evidence/evidence.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import type { NamePorts } from "../persons/names.ts";
import { readProposals } from "../proposals/list.ts";
import { readAttempts } from "./attempts.ts";
import { exampleDetails } from "./example.ts";
import { readRecord } from "./record.ts";

/** The most proposals that one statement reads. */
const pageSize = 100;
/** A file is uploaded at most a day before the record that uses it. */
const uploadedBefore = 24 * 3_600_000;

/** Creates the case file of a record. */
export const createCaseFile = defineOperation({
  ...forOperators("ops.audit"),
  id: "audit.caseFile",
  kind: "read",
  summary: "Create a record's case file",
  description:
    "What happened with a record, without personal data: its changes, attempts, proposals, the hashes of its evidence, and " +
    "each audit entry with the proof that a published checkpoint covers it. It names persons by their ids alone. It reads " +
    "all audit entries of the platform since a day before the record's creation.",
  input: recordReference,
  rules: [],
  output: caseFile,
  example: {
    input: { kycRecordId: exampleDetails.kycRecordId },
    output: {
      format: "cardbridge-case-file/1",
      createdAt: "2026-02-01T09:00:00.000Z",
      record: exampleDetails,
      attempts: [],
      evidenceHash: "0".repeat(64),
      fingerprint: "0".repeat(64),
      files: [],
      proposals: [],
      audit: { platformId: exampleDetails.platformId, entries: [], checkpoints: [], since: null },
    },
  },
  errors: ["KYC_RECORD_NOT_FOUND"],
  audit: ["done"],

  async run(ports, { platformId }, { kycRecordId }) {
    const record = await readRecord(ports, platformId, kycRecordId);
    const { fingerprint, ...evidence } = await coveredEvidence(ports, { platformId, kycRecordId });
    const files = await evidenceFiles(ports, platformId, evidence);
    const proposed = await proposalsAbout(ports, platformId, kycRecordId);
    const subjects = [
      kycRecordId,
      ...proposed.map(({ proposalId }) => proposalId),
      ...files.flatMap(({ fileId }) => fileId ?? []),
    ];
    const since = new Date(Date.parse(record.createdAt) - uploadedBefore);
    const data = {
      format: "cardbridge-case-file/1" as const,
      createdAt: new Date().toISOString(),
      record: { ...record, assignee: withoutName(record.assignee) },
      attempts: await readAttempts(ports.database, platformId, kycRecordId),
      evidenceHash: fingerprint === null ? null : await evidenceHashOf({ kycRecordId, fingerprint, files }),
      fingerprint,
      files,
      proposals: proposed.map((one) => ({
        ...one,
        // The case file leaves the service: nobody decides in it.
        ...{ evidenceOpened: null, mayConfirm: false, mayWithdraw: false },
        proposer: withoutName(one.proposer),
        decidedBy: withoutName(one.decidedBy),
      })),
      audit: await proveAbout(ports, platformId, { subjects, since }),
    };
    return { data, subject: kycRecordId };
  },
});

/** All proposals about a record. Who may read the audit knows of each, whether they may decide it or not. */
async function proposalsAbout(
  ports: NamePorts,
  platformId: string,
  kycRecordId: string,
): Promise<Proposal[]> {
  const reader = { personId: null, kinds: proposalKinds };
  const found: Proposal[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { kycRecordId, limit: pageSize, cursor };
    const page = await readProposals(ports, { platforms: [platformId], query, reader });
    found.push(...page.proposals);
    cursor = page.nextCursor;
  }
  return found;
}

/** The case file leaves the service. Who may see names looks the id up. */
const withoutName = (person: NamedPerson | null): NamedPerson | null => person && { ...person, name: null };
