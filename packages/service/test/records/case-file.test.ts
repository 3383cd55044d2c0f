import { caseFile, type Proposal } from "@cardbridge/domain";
import { expect, it } from "vitest";
import type { Ports } from "../../src/index.ts";
import { exampleProposal } from "../../src/proposals/example.ts";
import { createCaseFile } from "../../src/records/case-file.ts";
import { callOf, codeOf } from "../support/calls.ts";
import { aCaller, makeWorld } from "../support/world.ts";

const world = await makeWorld();
const { admin, audit, person, records, set, submitted } = world;
await person({ personId: "per_ada", name: "Augusta King" });
const { proposalId } = exampleProposal;

/** The ports, on which the record has two proposals, each on a page of its own. */
function portsOf(kycRecordId: string) {
  const pages: (string | undefined)[] = [];
  const proposal: Proposal = {
    ...exampleProposal,
    kycRecordId,
    proposer: { personId: "per_eve", name: "Eve Moneypenny" },
  };
  const ports: Ports = {
    ...world.ports,
    fileUrls: {
      ...world.ports.fileUrls,
      fileIdOf: (url) => (url.startsWith("https://files.") ? "file_1" : undefined),
    },
    files: {
      ...world.ports.files,
      read: async () => ({ bytes: new Uint8Array([1]), contentType: "image/jpeg" }),
    },
    proposals: {
      ...world.ports.proposals,
      // As the repository: only of the reader's kinds, and in pages.
      async list(_platforms, { cursor }, { kinds }) {
        pages.push(cursor);
        const proposals = [{ ...proposal, proposalId: cursor === undefined ? proposalId : "prop_2" }];
        const nextCursor = cursor === undefined ? "page2" : null;
        return { proposals: kinds.includes(proposal.kind) ? proposals : [], waitingForMe: 0, nextCursor };
      },
    },
  };
  return { ports, pages };
}

/** A new record that is assigned to a person, and its case file. */
async function aRecord() {
  const { platformId, kycRecordId } = await submitted({
    frontImageUrl: "https://files.example.com/file_1",
    selfieImageUrl: "https://elsewhere.example.com/selfie.jpg",
  });
  await records.assign(kycRecordId, { assignee: "per_ada", version: 0 }, aCaller);
  const { ports, pages } = portsOf(kycRecordId);
  const read = async () => {
    const call = callOf("internal", { scopes: ["ops.audit"] });
    const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
    expect(caseFile.parse(data)).toEqual(data);
    return data;
  };
  return { platformId, kycRecordId, pages, read };
}

it("has the entries about the record, its files and its proposals, since a day before the record", async () => {
  const { platformId, kycRecordId, read } = await aRecord();
  const subjects = [kycRecordId, proposalId, "prop_2", "file_1", "kyc_other"];
  for (const subject of subjects)
    await audit.append(platformId, { ...aCaller, operation: "kyc.get", subject, outcome: "done" });
  const move = (subject: string, hours: number) =>
    admin("update audit_entries set at = at - $2::int * interval '1 hour' where subject = $1", [
      subject,
      hours,
    ]);
  await move("file_1", 23);
  await move("prop_2", 25);
  const found = (await read()).audit.entries.filter(({ entry }) => entry.operation === "kyc.get");
  expect(found.map(({ entry }) => entry.subject)).toEqual([kycRecordId, proposalId, "file_1"]);
  const [entry] = (await audit.list([platformId], { limit: 1 })).entries;
  expect(entry).toMatchObject({ operation: "audit.caseFile", subject: kycRecordId, outcome: "done" });
});

it("has every proposal, also those that its caller may not decide", async () => {
  const { pages, read } = await aRecord();
  expect((await read()).proposals).toMatchObject([
    { proposalId, mayConfirm: false, mayWithdraw: false },
    { proposalId: "prop_2", mayConfirm: false, mayWithdraw: false },
  ]);
  expect(pages).toEqual([undefined, "page2"]);
});

it("has hashes of the evidence, and neither fields nor names", async () => {
  const { read } = await aRecord();
  const data = await read();
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(data).toMatchObject({
    evidenceHash: hash,
    fingerprint: hash,
    files: [
      { fileId: "file_1", sha256: hash },
      { fileId: null, host: "elsewhere.example.com" },
    ],
    record: { assignee: { personId: "per_ada", name: null } },
    proposals: [{ proposer: { personId: "per_eve", name: null } }, { proposalId: "prop_2" }],
  });
  expect(JSON.stringify(data)).not.toMatch(/Lovelace|Augusta|Moneypenny|ada@example|selfie\.jpg/i);
});

it("of an erased user has no hash, and of no record is refused", async () => {
  const { kycRecordId, read } = await aRecord();
  await set(kycRecordId, "encrypted = null, fingerprint = null");
  expect(await read()).toMatchObject({ evidenceHash: null, fingerprint: null, files: [] });
  const call = callOf("internal", { scopes: ["ops.audit"] });
  const none = createCaseFile.execute(world.ports, call, { kycRecordId: "kyc_none" });
  expect(await codeOf(none)).toBe("KYC_RECORD_NOT_FOUND");
});
