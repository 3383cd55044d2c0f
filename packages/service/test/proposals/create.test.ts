import { describe, expect, test } from "vitest";
import { actsOn, evidenceHash, makeProposalWorld, readerOf, refusal } from "../support/proposals.ts";
import { answered } from "../support/world.ts";

const world = await makeProposalWorld();
const { admin, audit, erasures, hold, holds, kyc, proposals, propose, records, submitted, user } = world;

describe("a proposal", () => {
  test("changes nothing, and says who proposed what", async () => {
    const someone = await user();
    const { platformId, externalUserId, kycRecordId } = someone;
    const proposal = await propose(actsOn(someone).approve, { note: "By telephone, case 4711." });
    expect(proposal).toMatchObject({
      kind: "approve",
      state: "open",
      platformId,
      platformName: "A platform",
      externalUserId,
      kycRecordId,
      holdId: null,
      evidenceHash,
      proposer: { personId: "per_ada", name: "Ada" },
      proposedBy: "per_ada/key_1",
      decidedBy: null,
      mayConfirm: false,
      mayWithdraw: true,
    });
    const { proposedAt, expiresAt } = proposal;
    expect(Date.parse(expiresAt) - Date.parse(proposedAt)).toBeCloseTo(86_400_000, -2);
    expect(await records.show(kycRecordId)).toMatchObject({ resolution: "unresolved" });
    const [entry] = (await audit.list([platformId], { limit: 1 })).entries;
    expect(entry).toMatchObject({ operation: "propose", subject: proposal.proposalId, person: "per_ada" });
    expect(await proposals.show(proposal.proposalId, readerOf("per_grace"))).toEqual({
      ...proposal,
      note: "By telephone, case 4711.",
      subStatus: "approved",
      cardAccountId: "acct_1",
      email: null,
      memberId: null,
      reference: null,
      whenProposed: { erasure: "none", held: false },
      now: { erasure: "none", held: false },
      mayConfirm: true,
    });
  });

  test("of the command line has no person, and a hold its reference", async () => {
    const someone = await user();
    const holdId = await hold(someone);
    const act = { kind: "liftHold", platformId: someone.platformId, holdId } as const;
    const { proposalId, ...proposal } = await propose(act, { personId: null });
    expect(proposal).toMatchObject({ proposer: null, proposedBy: "claim:bob", mayConfirm: false });
    const shown = await proposals.show(proposalId, readerOf("per_ada"));
    expect(shown).toMatchObject({ reference: "HKMA-2027/118", mayConfirm: true, holdId });
  });

  test("does not show its note and new identifiers in the database, and not in another row", async () => {
    const someone = await user();
    const { relink } = actsOn(someone);
    const { proposalId } = await propose(relink, { note: "A secret" });
    const [row] = await admin("select p::text as text from proposals as p where id = $1", [proposalId]);
    for (const secret of ["secret", "Erin", Buffer.from("A secret").toString("hex")])
      expect(row.text).not.toContain(secret);
    await admin("update proposals set kind = 'erase' where id = $1", [proposalId]);
    expect(await refusal(proposals.show(proposalId, readerOf("per_grace")))).toBe("SERVICE_UNAVAILABLE");
  });

  test("of another version is refused, and one of the seen version is stored", async () => {
    const someone = await user();
    const { approve, erase } = actsOn(someone);
    const seen = await records.show(someone.kycRecordId);
    await kyc.storeVerdict(someone.platformId, someone.record, answered("pending_approval"));
    expect(await refusal(propose(erase, { version: "1" }))).toBe("PROPOSAL_CONFLICT changed");
    expect(await refusal(propose(approve, { version: seen?.version }))).toBe("PROPOSAL_CONFLICT over");
    const other = await user();
    const version = (await records.show(other.kycRecordId))?.version;
    expect(await propose(actsOn(other).approve, { version })).toMatchObject({ state: "open" });
  });

  test("that equals an open one is refused, also at the same time; another act is not", async () => {
    const someone = await user();
    const { approve, erase, relink } = actsOn(someone);
    const results = await Promise.all([1, 2, 3, 4].map(() => refusal(propose(erase))));
    expect(results.sort()).toEqual([...Array(3).fill("PROPOSAL_CONFLICT proposed"), "done"]);
    expect(await refusal(propose(relink))).toBe("done");
    expect(await refusal(propose(approve))).toBe("done");
    await admin("update proposals set expires_at = now() where kind = 'erase'");
    expect(await refusal(propose(erase))).toBe("done");
  });

  test.each(["approve", "relink", "erase"] as const)("to %s what does not exist is refused", async (kind) => {
    const someone = await user();
    const ids = { externalUserId: "usr_none", kycRecordId: "kyc_none" };
    const act = actsOn({ ...someone, ...ids })[kind];
    const code = kind === "approve" ? "KYC_RECORD_NOT_FOUND" : "USER_NOT_FOUND";
    expect(await refusal(propose(act))).toBe(code);
  });

  test("to lift an unknown hold, another platform's or an ended one is refused", async () => {
    const someone = await user();
    const other = await user();
    const holdId = await hold(someone);
    const lift = (platformId: string, id: string) =>
      refusal(propose({ kind: "liftHold", platformId, holdId: id }));
    expect(await lift(someone.platformId, "hold_none")).toBe("HOLD_NOT_FOUND");
    expect(await lift(other.platformId, holdId)).toBe("HOLD_NOT_FOUND");
    await holds.lift(someone.platformId, holdId, "claim:ada");
    expect(await lift(someone.platformId, holdId)).toBe("PROPOSAL_CONFLICT over");
  });

  test("to relink to another user's identifier is refused", async () => {
    const someone = await user();
    await submitted({ memberId: "member-2", email: "erin@example.com" }, someone.platformId);
    expect(await refusal(propose(actsOn(someone).relink))).toBe("USER_IDENTITY_CONFLICT");
  });
});

describe("an erasure", () => {
  test("destroys the encrypted part, also of another kind, and leaves the row", async () => {
    const someone = await user();
    const { proposalId } = await propose(actsOn(someone).relink, { note: "A note" });
    await kyc.storeVerdict(someone.platformId, someone.record, answered("rejected"));
    await erasures.request(someone.platformId, someone.externalUserId);
    expect(await refusal(propose(actsOn(someone).erase))).toBe("PROPOSAL_CONFLICT requested");
    expect(await erasures.eraseDue(10)).toBe(1);
    expect(await admin("select encrypted from proposals where id = $1", [proposalId])).toEqual([
      { encrypted: null },
    ]);
    const shown = await proposals.show(proposalId, readerOf("per_grace"));
    expect(shown).toMatchObject({ state: "void", note: null, email: null });
    expect(await refusal(propose(actsOn(someone).erase))).toBe("USER_NOT_FOUND");
  });

  test("leaves a hold that can be lifted, without a note", async () => {
    const someone = await user();
    const { platformId, externalUserId } = someone;
    await kyc.storeVerdict(platformId, someone.record, answered("rejected"));
    await erasures.request(platformId, externalUserId);
    await erasures.eraseDue(10);
    const act = { kind: "liftHold", platformId, holdId: await hold(someone) } as const;
    expect(await refusal(propose(act, { note: "A note" }))).toBe("PROPOSAL_CONFLICT erased");
    const { proposalId } = await propose(act);
    const isStored = async () =>
      (await admin("select from proposals where id = $1", [proposalId])).length === 1;
    await erasures.sweep(0, 10);
    expect(await isStored()).toBe(true);
    expect(await world.confirm(proposalId, "per_grace", null)).toEqual({ confirmed: true, change: null });
    expect(await erasures.sweep(0, 10)).toBe(1);
    expect(await isStored()).toBe(false);
  });
});
