import { caseFile, type Proposal, type RecordDetails } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { exampleProposal } from "../../src/proposals/example.ts";
import { createCaseFile } from "../../src/records/case-file.ts";
import { exampleDetails } from "../../src/records/example.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const call = callOf("internal", { scopes: ["ops.audit"] });
const { kycRecordId, platformId } = exampleDetails;
const submission = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  frontImageUrl: "https://files.example.com/file_1",
  selfieImageUrl: "https://elsewhere.example.com/selfie.jpg",
};

function world() {
  const { ports, audited } = fakePorts();
  const proven: unknown[][] = [];
  const pages: (string | undefined)[] = [];
  const record: RecordDetails = {
    ...exampleDetails,
    assignee: { personId: "per_ada", name: "Ada Lovelace" },
  };
  const proposal: Proposal = {
    ...exampleProposal,
    kycRecordId,
    proposer: { personId: "per_eve", name: "Eve Moneypenny" },
  };
  ports.kycAdmin.show = async () => record;
  ports.kycAdmin.attempts = async () => [];
  ports.evidence.covered = async () => ({ platformId, fingerprint: "ab".repeat(32), submission }) as never;
  ports.fileUrls.fileIdOf = (url) => (url.startsWith("https://files.") ? "file_1" : undefined);
  ports.files.read = async () => ({ bytes: new Uint8Array([1]), contentType: "image/jpeg" }) as never;
  // As the repository: only of the reader's kinds, and in pages.
  ports.proposals.list = async (_platforms, { cursor }, { kinds }) => {
    pages.push(cursor);
    const proposals = [{ ...proposal, proposalId: cursor === undefined ? proposal.proposalId : "prop_2" }];
    const nextCursor = cursor === undefined ? "page2" : null;
    return { proposals: kinds.includes(proposal.kind) ? proposals : [], waitingForMe: 0, nextCursor };
  };
  ports.audit.proofs = async (...args) => {
    proven.push(args);
    return { platformId, entries: [], checkpoints: [], since: null };
  };
  return { ports, audited, proven, pages };
}

it("has the proofs of the entries about the record, its files and its proposals, since the uploads", async () => {
  const { ports, proven, audited } = world();
  const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
  expect(caseFile.parse(data)).toEqual(data);
  const since = new Date(Date.parse(exampleDetails.createdAt) - 24 * 3_600_000);
  expect(proven).toEqual([
    [platformId, [kycRecordId, exampleProposal.proposalId, "prop_2", "file_1"], since],
  ]);
  expect(audited).toMatchObject([{ platformId, subject: kycRecordId, outcome: "done" }]);
});

it("has every proposal, also those that its caller may not decide", async () => {
  const { ports, pages } = world();
  const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
  expect(pages).toEqual([undefined, "page2"]);
  expect(data.proposals).toMatchObject([
    { proposalId: exampleProposal.proposalId, mayConfirm: false, mayWithdraw: false },
    { proposalId: "prop_2", mayConfirm: false, mayWithdraw: false },
  ]);
});

it("has hashes of the evidence, and neither fields nor names", async () => {
  const { ports } = world();
  const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
  const text = JSON.stringify(data);
  expect(data).toMatchObject({
    evidenceHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    fingerprint: "ab".repeat(32),
    files: [
      { fileId: "file_1", sha256: expect.any(String) },
      { fileId: null, host: "elsewhere.example.com" },
    ],
    record: { assignee: { personId: "per_ada", name: null } },
    proposals: [{ proposer: { personId: "per_eve", name: null } }, { proposalId: "prop_2" }],
  });
  expect(text).not.toMatch(/Lovelace|Moneypenny|ada@example|selfie\.jpg/);
});

it("of an erased user has no hash, and of no record is refused", async () => {
  const { ports } = world();
  ports.evidence.covered = async () => ({ platformId, fingerprint: null, submission: null }) as never;
  const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
  expect(data).toMatchObject({ evidenceHash: null, fingerprint: null, files: [] });
  ports.kycAdmin.show = async () => null;
  await expect(createCaseFile.execute(ports, call, { kycRecordId })).rejects.toMatchObject({
    code: "KYC_RECORD_NOT_FOUND",
  });
});
