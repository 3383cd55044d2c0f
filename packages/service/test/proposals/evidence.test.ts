import { describe, expect, test } from "vitest";
import { sweepOpenings } from "../../src/evidence/openings.ts";
import { actsOn, evidenceHash, makeProposalWorld, readerOf } from "../support/proposals.ts";

const world = await makeProposalWorld();
const { admin, confirm, open, proposals, propose, records, stateOf, submitted, user } = world;
const otherHash = "b".repeat(64);

/** An approval that Ada proposed about a record whose evidence these persons have opened, at these hashes. */
async function proposed(openings: readonly (readonly [personId: string, hash: string])[]) {
  const someone = await submitted();
  for (const [personId, hash] of openings) await open(someone.kycRecordId, personId, hash);
  const { proposalId } = await propose(actsOn(someone).approve, { note: "By telephone." });
  return { ...someone, proposalId };
}

describe("a confirmation of an approval", () => {
  test.each([
    { openings: [["per_ada", evidenceHash]], why: "evidence-not-opened" },
    {
      openings: [
        ["per_ada", evidenceHash],
        ["per_grace", otherHash],
      ],
      why: "evidence-not-opened",
    },
    { openings: [["per_grace", evidenceHash]], why: "proposer-evidence-not-opened" },
    {
      openings: [
        ["per_grace", evidenceHash],
        ["per_ada", otherHash],
      ],
      why: "proposer-evidence-not-opened",
    },
  ] as const)("is refused as $why after $openings, and can follow the opening", async ({ openings, why }) => {
    const { kycRecordId, proposalId } = await proposed(openings);
    expect(await confirm(proposalId)).toEqual({ confirmed: false, why });
    expect(await records.show(kycRecordId)).toMatchObject({ resolution: "unresolved" });
    for (const personId of ["per_ada", "per_grace"]) await open(kycRecordId, personId);
    expect(await confirm(proposalId)).toMatchObject({ confirmed: true });
  });

  test("is refused for a proposal without a person, who could not have looked", async () => {
    const someone = await user();
    const { proposalId } = await propose(actsOn(someone).approve, { personId: null });
    expect(await confirm(proposalId)).toEqual({ confirmed: false, why: "proposer-evidence-not-opened" });
  });

  test("counts neither an opening of another record nor one of another platform", async () => {
    const { proposalId } = await proposed([["per_ada", evidenceHash]]);
    await user();
    expect(await confirm(proposalId)).toEqual({ confirmed: false, why: "evidence-not-opened" });
  });
});

describe("a proposal", () => {
  test("says which of the two has opened the evidence", async () => {
    const { kycRecordId, platformId, proposalId } = await proposed([["per_ada", evidenceHash]]);
    const shown = async (personId: string | null) =>
      (await proposals.show(proposalId, readerOf(personId))).evidenceOpened;
    expect(await shown("per_grace")).toEqual({ proposer: true, caller: false });
    await open(kycRecordId, "per_grace");
    expect(await shown("per_grace")).toEqual({ proposer: true, caller: true });
    expect(await shown(null)).toEqual({ proposer: true, caller: false });
    const query = { kycRecordId, limit: 10 };
    for (const platforms of [[platformId], "all"] as const) {
      const listed = await proposals.list(platforms, query, readerOf("per_grace"));
      expect(listed.proposals).toMatchObject([{ evidenceOpened: { proposer: true, caller: true } }]);
    }
  });

  test("of another act needs no evidence", async () => {
    const { proposalId, evidenceOpened } = await propose(actsOn(await submitted()).erase);
    expect(evidenceOpened).toBeNull();
    expect(await confirm(proposalId, "per_grace", null)).toMatchObject({ confirmed: true });
  });

  test.each(["approve", "relink", "erase"] as const)(
    "to %s is void while its proposer is blocked, and the same can be proposed again",
    async (kind) => {
      const someone = await user();
      const { proposalId } = await propose(actsOn(someone)[kind]);
      await admin("update persons set blocked_at = now() where id = 'per_ada'");
      expect(await stateOf(proposalId)).toBe("void");
      const hash = kind === "approve" ? evidenceHash : null;
      expect(await confirm(proposalId, "per_grace", hash)).toEqual({
        confirmed: false,
        why: "proposer-blocked",
      });
      const { proposals: listed } = await proposals.list(
        "all",
        { externalUserId: someone.externalUserId, state: "void", limit: 10 },
        readerOf("per_grace"),
      );
      expect(listed).toMatchObject([{ proposalId, state: "void", mayConfirm: false }]);
      await propose(actsOn(someone)[kind], { personId: "per_grace" });
      await admin("update persons set blocked_at = null");
    },
  );
});

test.each([
  { name: "decided", end: (proposalId: string) => confirm(proposalId) },
  {
    name: "expired",
    end: (proposalId: string) =>
      admin("update proposals set expires_at = clock_timestamp() where id = $1", [proposalId]),
  },
])(
  "a sweep keeps the openings that an open approval needs, and deletes them once it is $name",
  async ({ end }) => {
    const { kycRecordId, ...someone } = await user();
    const { proposalId } = await propose(actsOn({ kycRecordId, ...someone }).approve);
    await admin("update evidence_openings set expires_at = now() - interval '2 days' where record_id = $1", [
      kycRecordId,
    ]);
    const kept = () => admin("select from evidence_openings where record_id = $1", [kycRecordId]);
    await sweepOpenings(world.ports, 100);
    expect(await kept()).not.toEqual([]);
    await end(proposalId);
    await sweepOpenings(world.ports, 100);
    expect(await kept()).toEqual([]);
  },
);
