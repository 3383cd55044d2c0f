import { caseFile } from "@cardbridge/domain";
import { expect, it } from "vitest";
import type { Ports } from "../../src/index.ts";
import { createCaseFile } from "../../src/records/case-file.ts";
import { callOf, codeOf } from "../support/calls.ts";
import { actsOn, makeProposalWorld } from "../support/proposals.ts";
import { aCaller } from "../support/world.ts";

const world = await makeProposalWorld();
const { admin, audit, person, propose, records, set, submitted, withdraw } = world;
await person({ personId: "per_two", name: "Augusta King" });
await person({ personId: "per_eve", name: "Eve Moneypenny" });

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
};

/** A new record that is assigned to a person and has two proposals, and its case file. */
async function aRecord() {
  const someone = await submitted({
    frontImageUrl: "https://files.example.com/file_1",
    selfieImageUrl: "https://elsewhere.example.com/selfie.jpg",
  });
  const { platformId, kycRecordId } = someone;
  await records.assign(kycRecordId, "per_two");
  const first = await propose(actsOn(someone).approve, { personId: "per_eve" });
  await withdraw(first.proposalId);
  const second = await propose(actsOn(someone).approve, { personId: "per_eve" });
  const proposals = [second.proposalId, first.proposalId] as const;
  const read = async () => {
    const call = callOf("internal", { scopes: ["ops.audit"] });
    const { data } = await createCaseFile.execute(ports, call, { kycRecordId });
    expect(caseFile.parse(data)).toEqual(data);
    return data;
  };
  return { platformId, kycRecordId, proposals, read };
}

it("has the entries about the record, its files and its proposals, since a day before the record", async () => {
  const { platformId, kycRecordId, proposals, read } = await aRecord();
  const [newer, older] = proposals;
  const subjects = [kycRecordId, newer, older, "file_1", "kyc_other"];
  for (const subject of subjects)
    await audit.append(platformId, { ...aCaller, operation: "kyc.get", subject, outcome: "done" });
  const move = (subject: string, hours: number) =>
    admin("update audit_entries set at = at - $2::int * interval '1 hour' where subject = $1", [
      subject,
      hours,
    ]);
  await move("file_1", 23);
  await move(older, 25);
  const found = (await read()).audit.entries.filter(({ entry }) => entry.operation === "kyc.get");
  expect(found.map(({ entry }) => entry.subject)).toEqual([kycRecordId, newer, "file_1"]);
  const [entry] = (await audit.list([platformId], { limit: 1 })).entries;
  expect(entry).toMatchObject({ operation: "audit.caseFile", subject: kycRecordId, outcome: "done" });
});

it("has every proposal, also those that its caller may not decide", async () => {
  const { proposals, read } = await aRecord();
  expect((await read()).proposals).toMatchObject(
    proposals.map((proposalId) => ({ proposalId, mayConfirm: false, mayWithdraw: false })),
  );
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
    record: { assignee: { personId: "per_two", name: null } },
    proposals: [{ proposer: { personId: "per_eve", name: null } }, {}],
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
