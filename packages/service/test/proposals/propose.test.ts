import { defaultPolicies, operatorScope, type Scope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { currentEvidenceHash } from "../../src/evidence/files.ts";
import { createOperations } from "../../src/index.ts";
import { callOf, codeOf, operatorCall, personCall, rulesOf } from "../support/calls.ts";
import { callBy, makeProposalWorld } from "../support/proposals.ts";

/* What the acts that need two persons propose, and what they do with FOUR_EYES off. */
const { audit, open, ports, proposed, show, submitted } = await makeProposalWorld();
const operations = createOperations(defaultPolicies);
const alone = createOperations({ ...defaultPolicies, fourEyes: false });
const approved = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;
const inReview = { ...approved, subStatus: "pending_approval" };
const ada = callBy("per_ada");
const key = callOf("internal", { scopes: operatorScope.options });

/** A record whose evidence these persons have opened, and an approval of it. */
async function reviewed(...openedBy: string[]) {
  const { platformId, kycRecordId, externalUserId } = await submitted();
  const evidenceHash = await currentEvidenceHash(ports, kycRecordId);
  for (const personId of openedBy) await open(kycRecordId, personId, evidenceHash);
  const approval = { kycRecordId, decision: approved, note: "By telephone." };
  return { platformId, kycRecordId, externalUserId, evidenceHash, approval };
}

/** The newest entries of a platform's audit, newest first. */
const auditOf = async (platformId: string, limit: number) =>
  (await audit.list([platformId], { limit })).entries.map(({ operation, subject, outcome }) => [
    operation,
    subject,
    outcome,
  ]);
const proposalsAbout = async (kycRecordId: string) =>
  (await operations.proposals.list.execute(ports, ada, { kycRecordId })).data.proposals;

describe("with two persons", () => {
  it.each([
    { name: "an approval", decision: approved },
    { name: "another decision with a card account", decision: inReview },
  ])("$name is proposed with the current evidence, and the record stays unresolved", async ({ decision }) => {
    const { platformId, kycRecordId, evidenceHash, approval } = await reviewed("per_ada");
    const { version } = (await operations.records.get.execute(ports, ada, { kycRecordId })).data;
    const input = { ...approval, decision, version };
    const { data } = await operations.records.resolve.execute(ports, ada, input);
    const proposal = { kind: "approve", state: "open", evidenceHash, proposedBy: "per_ada/key_1" };
    expect(data).toMatchObject({ after: { resolution: "unresolved" }, proposal });
    const proposalId = data.proposal?.proposalId ?? "";
    expect(await auditOf(platformId, 1)).toEqual([["records.resolve", proposalId, "done"]]);
    expect(await show(proposalId)).toMatchObject({
      ...proposal,
      ...{ note: "By telephone.", subStatus: decision.subStatus, cardAccountId: "acct_1" },
    });
  });

  it.each([
    { outcome: "refused" },
    { outcome: "answered", subStatus: "rejected" },
    { outcome: "answered", subStatus: "pending_approval", cardAccountId: null },
  ])("%j is made at once, of the version that the caller saw", async (decision) => {
    const { kycRecordId } = await reviewed();
    const { version } = (await operations.records.get.execute(ports, ada, { kycRecordId })).data;
    const resolve = (seen: string) =>
      operations.records.resolve.execute(ports, ada, { kycRecordId, decision, version: seen });
    expect(await codeOf(resolve("another"))).toBe("KYC_RECORD_CONFLICT");
    expect((await resolve(version)).data).toMatchObject({
      proposal: null,
      before: { resolution: "unresolved" },
    });
    expect(await proposalsAbout(kycRecordId)).toEqual([]);
  });

  it("an approval needs a person who has opened the evidence that the caller saw", async () => {
    const { kycRecordId, approval } = await reviewed("per_ada");
    const resolve = (call: typeof ada, input: object = {}) =>
      operations.records.resolve.execute(ports, call, { ...approval, ...input });
    expect(await rulesOf(resolve(callBy("per_grace")))).toEqual(["evidence-not-opened"]);
    expect(await codeOf(resolve(ada, { evidenceHash: "0".repeat(64) }))).toBe("KYC_RECORD_CONFLICT");
    expect(await codeOf(resolve(key))).toBe("PERSON_REQUIRED");
    for (const decision of [approved, inReview])
      expect(await codeOf(resolve(operatorCall, { decision }))).toBe("PERSON_REQUIRED");
    expect(await proposalsAbout(kycRecordId)).toEqual([]);
  });

  it("a relink and an erasure are proposed, and the user stays unchanged", async () => {
    const { platformId, externalUserId } = await reviewed();
    const user = { platformId, externalUserId };
    const shown = (await operations.users.show.execute(ports, ada, user)).data;
    const input = { ...user, version: shown.version };
    const relink = await operations.users.relink.execute(ports, ada, { ...input, memberId: "member-2" });
    const erase = await operations.users.erase.execute(ports, operatorCall, input);
    expect(relink.data).toEqual({ ...shown, proposal: expect.objectContaining({ kind: "relink" }) });
    expect(erase.data).toEqual({ ...shown, proposal: expect.objectContaining({ kind: "erase" }) });
    expect(await auditOf(platformId, 3)).toEqual([
      ["users.erase", erase.data.proposal?.proposalId, "done"],
      ["users.relink", relink.data.proposal?.proposalId, "done"],
      ["users.show", externalUserId, "done"],
    ]);
  });
});

describe("with FOUR_EYES off", () => {
  it("a relink and an erasure happen at once and are audited", async () => {
    const { platformId, externalUserId } = await reviewed();
    const user = { platformId, externalUserId };
    const relink = await alone.users.relink.execute(ports, ada, { ...user, memberId: "member-2" });
    expect(relink.data).toMatchObject({ ...user, proposal: null });
    const erase = (changes: object = {}) =>
      alone.users.erase.execute(ports, operatorCall, { ...user, ...changes });
    expect((await erase()).data).toMatchObject({ erasure: "requested", proposal: null });
    expect(await auditOf(platformId, 2)).toEqual([
      ["users.erase", externalUserId, "done"],
      ["users.relink", externalUserId, "done"],
    ]);
    expect(await codeOf(erase({ version: "another" }))).toBe("PROPOSAL_CONFLICT");
  });

  it.each([
    { name: "a person who has not looked", call: ada, openedBy: [], result: "KYC_RECORD_CONFLICT" },
    { name: "a person who has looked", call: ada, openedBy: ["per_ada"], result: "done" },
    { name: "a key without a person", call: key, openedBy: ["per_ada"], result: "PERSON_REQUIRED" },
    { name: "the command line", call: operatorCall, openedBy: [], result: "done" },
  ])("an approval by $name results in $result", async ({ call, openedBy, result }) => {
    const { approval } = await reviewed(...openedBy);
    expect(await codeOf(alone.records.resolve.execute(ports, call, approval))).toBe(result);
  });
});

describe("a decision about a proposal", () => {
  it.each(["get", "confirm", "withdraw"] as const)("needs the scope of the act to %s it", async (verb) => {
    const { proposalId } = await proposed("erase");
    const run = (...scopes: Scope[]) =>
      operations.proposals[verb].execute(ports, personCall(scopes, { personId: "per_grace" }), {
        proposalId,
      });
    await expect(run("ops.records.decide", "ops.compliance")).rejects.toMatchObject({
      code: "SCOPE_MISSING",
      details: { violations: [{ message: expect.stringContaining("ops.users.write") }] },
    });
    expect((await run("ops.users.write")).data).toMatchObject({ kind: "erase" });
  });

  it("needs a person to confirm, and none to read or to withdraw", async () => {
    const { proposalId } = await proposed("erase");
    const run = (verb: "get" | "confirm" | "withdraw", call: typeof ada) =>
      codeOf(operations.proposals[verb].execute(ports, call, { proposalId }));
    expect([await run("confirm", key), await run("confirm", operatorCall)]).toEqual([
      "PERSON_REQUIRED",
      "SCOPE_MISSING",
    ]);
    for (const verb of ["get", "withdraw"] as const) expect(await run(verb, operatorCall)).toBe("done");
  });

  it("that is refused is audited on the platform of the proposal", async () => {
    const { platformId, proposalId } = await proposed("erase");
    const confirming = operations.proposals.confirm.execute(ports, ada, { proposalId });
    expect(await rulesOf(confirming)).toEqual(["same-person"]);
    const [entry] = (await audit.list([platformId], { limit: 1 })).entries;
    const refused = { operation: "proposals.confirm", subject: proposalId, outcome: "PROPOSAL_CONFLICT" };
    expect(entry).toMatchObject({ ...refused, person: "per_ada", actor: "key_1" });
  });
});
