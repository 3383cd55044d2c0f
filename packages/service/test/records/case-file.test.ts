import { caseFile, type KycSubmission } from "@cardbridge/domain";
import { expect, it } from "vitest";
import type { Ports } from "../../src/index.ts";
import { createCaseFile } from "../../src/records/case-file.ts";
import { callOf, codeOf } from "../support/calls.ts";
import { makeWorld } from "../support/world.ts";

const world = await makeWorld();
const { admin, audit, person, records, submitted } = world;
const call = callOf("internal", { scopes: ["ops.audit"] });
await person({ personId: "per_ada", name: "Ada Lovelace" });
await person({ personId: "per_eve", name: "Eve Moneypenny" });

const submission = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  frontImageUrl: "https://files.example.com/file_1",
  selfieImageUrl: "https://elsewhere.example.com/selfie.jpg",
} as KycSubmission;

/** A record with this many proposals of Eve and with evidence, and ports that note what is proven. */
async function recordWith(
  proposals: number,
  evidence: Partial<{ fingerprint: null; submission: null }> = {},
) {
  const { platformId, kycRecordId, externalUserId, record } = await submitted();
  await records.assign(kycRecordId, "per_ada");
  await admin(
    `insert into proposals (id, platform_id, user_id, record_id, kind, actor, proposer, seen, evidence_hash, proposed_at)
     select 'prop_' || $3 || n, $1, $2, $3, 'approve', 'per_eve/key_1', 'per_eve', '1', repeat('a', 64), now() + n * interval '1 second'
     from generate_series(1, $4::integer) as n`,
    [platformId, externalUserId, kycRecordId, proposals],
  );
  const covered = { platformId, fingerprint: "ab".repeat(32), submission, ...evidence };
  const proven: unknown[][] = [];
  const ports: Ports = {
    ...world.ports,
    evidence: { ...world.ports.evidence, covered: async () => covered },
    fileUrls: {
      ...world.ports.fileUrls,
      fileIdOf: (url) => (url.startsWith("https://files.") ? "file_1" : undefined),
    },
    files: {
      ...world.ports.files,
      read: async () => ({ bytes: new Uint8Array([1]), contentType: "image/jpeg" }),
    },
    audit: {
      ...world.ports.audit,
      proofs: (...args) => {
        proven.push(args);
        return world.ports.audit.proofs(...args);
      },
    },
  };
  const create = async () => (await createCaseFile.execute(ports, call, { kycRecordId })).data;
  return { platformId, kycRecordId, record, proven, create };
}

it("has the proofs of the entries about the record, its files and its proposals, since the uploads", async () => {
  const { platformId, kycRecordId, record, proven, create } = await recordWith(2);
  const data = await create();
  expect(caseFile.parse(data)).toEqual(data);
  const since = new Date(record.createdAt.getTime() - 24 * 3_600_000);
  const proposals = [2, 1].map((number) => `prop_${kycRecordId}${number}`);
  expect(proven).toEqual([[platformId, [kycRecordId, ...proposals, "file_1"], since]]);
  expect(new Set(data.audit.entries.map(({ entry }) => entry.subject))).toEqual(new Set([kycRecordId]));
  const { entries } = await audit.list([platformId], { limit: 1 });
  expect(entries).toMatchObject([{ operation: "audit.caseFile", subject: kycRecordId, outcome: "done" }]);
});

it("has every proposal, also those that its caller may not decide", async () => {
  const { create } = await recordWith(101);
  const { proposals } = await create();
  expect(new Set(proposals.map(({ proposalId }) => proposalId)).size).toBe(101);
  expect(proposals.some(({ mayConfirm, mayWithdraw }) => mayConfirm || mayWithdraw)).toBe(false);
});

it("has hashes of the evidence, and neither fields nor names", async () => {
  const { create } = await recordWith(1);
  const data = await create();
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
  expect(JSON.stringify(data)).not.toMatch(/Lovelace|Moneypenny|ada@example|selfie\.jpg/);
});

it("of an erased user has no hash, and of no record is refused", async () => {
  const { create } = await recordWith(0, { fingerprint: null, submission: null });
  expect(await create()).toMatchObject({ evidenceHash: null, fingerprint: null, files: [] });
  const unknown = createCaseFile.execute(world.ports, call, { kycRecordId: "kyc_none" });
  expect(await codeOf(unknown)).toBe("KYC_RECORD_NOT_FOUND");
});
