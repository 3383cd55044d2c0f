import { caseFile, type RecordDetails } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { createCaseFile } from "../../src/records/case-file.ts";
import { exampleDetails } from "../../src/records/example.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { actsOn, makeProposalWorld } from "../support/proposals.ts";

const call = callOf("internal", { scopes: ["ops.audit"] });
const { admin, person, ports: real, propose, user } = await makeProposalWorld();
const submission = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  frontImageUrl: "https://files.example.com/file_1",
  selfieImageUrl: "https://elsewhere.example.com/selfie.jpg",
};

/** A record whose approval Eve proposes. Fakes stand for its evidence and its audit. */
async function makeCase() {
  await person({ personId: "per_eve", name: "Eve Moneypenny" });
  const someone = await user();
  const { kycRecordId, platformId } = someone;
  const { proposalId } = await propose(actsOn(someone).approve, { personId: "per_eve" });
  const record: RecordDetails = {
    ...exampleDetails,
    ...{ kycRecordId, platformId, assignee: { personId: "per_ada", name: "Ada Lovelace" } },
  };
  const { ports } = fakePorts({ database: real.database, personalDataKeys: real.personalDataKeys });
  const proven: unknown[][] = [];
  ports.kycAdmin.show = async () => record;
  ports.kycAdmin.attempts = async () => [];
  ports.evidence.covered = async () => ({ platformId, fingerprint: "ab".repeat(32), submission }) as never;
  ports.fileUrls.fileIdOf = (url) => (url.startsWith("https://files.") ? "file_1" : undefined);
  ports.files.read = async () => ({ bytes: new Uint8Array([1]), contentType: "image/jpeg" }) as never;
  ports.audit.proofs = async (...args) => {
    proven.push(args);
    return { platformId, entries: [], checkpoints: [], since: null };
  };
  const audited = () =>
    admin("select operation from audit_entries where platform_id = $1 and subject = $2", [
      platformId,
      kycRecordId,
    ]);
  return { ports, audited, proven, platformId, kycRecordId, proposalId };
}

it("has the proofs of the entries about the record, its files and its proposals, since the uploads", async () => {
  const { ports, proven, audited, platformId, kycRecordId, proposalId } = await makeCase();
  const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
  expect(caseFile.parse(data)).toEqual(data);
  const since = new Date(Date.parse(exampleDetails.createdAt) - 24 * 3_600_000);
  expect(proven).toEqual([[platformId, [kycRecordId, proposalId, "file_1"], since]]);
  expect(await audited()).toContainEqual({ operation: "audit.caseFile" });
});

it("has every proposal, also those that its caller may not decide", async () => {
  const { ports, kycRecordId, proposalId } = await makeCase();
  await admin(
    `insert into proposals select (jsonb_populate_record(one, jsonb_build_object('id', 'prop_' || n))).*
     from proposals as one, generate_series(1, 100) as n where one.id = $1`,
    [proposalId],
  );
  const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
  expect(new Set(data.proposals.map((one) => one.proposalId)).size).toBe(101);
  for (const one of data.proposals) expect(one).toMatchObject({ mayConfirm: false, mayWithdraw: false });
});

it("has hashes of the evidence, and neither fields nor names", async () => {
  const { ports, kycRecordId } = await makeCase();
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
    proposals: [{ proposer: { personId: "per_eve", name: null } }],
  });
  expect(text).not.toMatch(/Lovelace|Moneypenny|ada@example|selfie\.jpg/);
});

it("of an erased user has no hash, and of no record is refused", async () => {
  const { ports, platformId, kycRecordId } = await makeCase();
  ports.evidence.covered = async () => ({ platformId, fingerprint: null, submission: null }) as never;
  const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
  expect(data).toMatchObject({ evidenceHash: null, fingerprint: null, files: [] });
  ports.kycAdmin.show = async () => null;
  await expect(createCaseFile.execute(ports, call, { kycRecordId })).rejects.toMatchObject({
    code: "KYC_RECORD_NOT_FOUND",
  });
});
