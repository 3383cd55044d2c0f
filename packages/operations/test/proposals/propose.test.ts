import {
  defaultPolicies,
  type KycSubmission,
  type NewProposal,
  type OperatorScope,
  operatorScope,
  type Person,
  type ProposalConflict,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../src/index.ts";
import { exampleProposal, exampleProposalDetails } from "../../src/proposals/example.ts";
import { exampleUser, exampleUserReference } from "../../src/users/example.ts";
import { attentionRecord, unknown } from "../support/attention-record.ts";
import { callOf, operatorCall } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const operations = createOperations(defaultPolicies);
const alone = createOperations({ ...defaultPolicies, fourEyes: false });
const approved = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;
const approval = { kycRecordId: "kyc_1", decision: approved, note: "By telephone." };
const inReview = { ...approval, decision: { ...approved, subStatus: "pending_approval" } };
const erased = exampleUserReference;

const person: Person = {
  personId: "per_ada",
  roles: ["compliance"],
  platforms: "all",
  authenticatedAt: new Date(),
  expiresAt: new Date(Date.now() + 60_000),
};
const callBy = (scopes: readonly OperatorScope[] = operatorScope.options) => ({
  ...callOf("internal", { scopes }),
  actor: "key_1",
  person,
});

/** Ports that store proposals, erasures and resolutions, and know one record whose evidence these persons have opened. */
function makePorts(openedBy: readonly string[] = ["per_ada"]) {
  const proposed: NewProposal[] = [];
  const done: string[] = [];
  const record = attentionRecord({ found: unknown });
  const user = { ...exampleUser, records: [] };
  const ports = {
    ...record.ports,
    platforms: { ...record.ports.platforms, find: async () => ({ platformId: "plt_1" }) as never },
    evidence: {
      ...record.ports.evidence,
      covered: async () => ({ platformId: "plt_1", fingerprint: "aa", submission: {} as KycSubmission }),
      hasOpened: async ({ personId, evidenceHash }: { personId: string; evidenceHash: string }) =>
        openedBy.includes(personId) && /^[0-9a-f]{64}$/.test(evidenceHash),
    },
    proposals: {
      ...record.ports.proposals,
      create: async (proposal: NewProposal) => {
        proposed.push(proposal);
        return exampleProposal;
      },
    },
    userAdmin: {
      ...record.ports.userAdmin,
      show: async () => user,
      relink: async () => {
        done.push("relink");
        return user;
      },
    },
    erasures: {
      ...record.ports.erasures,
      request: async () => {
        done.push("erase");
        return true;
      },
    },
  };
  return { ports, proposed, done, audited: record.audited };
}

describe("with two persons", () => {
  it.each([
    ["an approval", approval],
    ["another decision with a card account", inReview],
  ])("%s is proposed with the current evidence, and the record stays unresolved", async (_name, act) => {
    const { ports, proposed, audited } = makePorts();
    const input = { ...act, version: "1" };
    const { data } = await operations.records.resolve.execute(ports, callBy(), input);
    expect(data).toMatchObject({ after: { resolution: "unresolved" }, proposal: exampleProposal });
    expect(proposed).toMatchObject([
      {
        proposalId: "prop_new",
        act: {
          kind: "approve",
          kycRecordId: "kyc_1",
          decision: act.decision,
          evidenceHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        version: "1",
        note: "By telephone.",
        personId: "per_ada",
        by: { operation: "records.resolve", actor: "per_ada/key_1" },
      },
    ]);
    // The repository audits the proposal.
    expect(audited).toEqual([]);
  });

  it("another decision is made at once, with its note", async () => {
    const { ports, proposed } = makePorts();
    for (const decision of [
      { outcome: "refused" },
      { outcome: "answered", subStatus: "rejected" },
      { outcome: "answered", subStatus: "pending_approval", cardAccountId: null },
    ]) {
      const { data } = await operations.records.resolve.execute(makePorts().ports, callBy(), {
        kycRecordId: "kyc_1",
        decision,
      });
      expect(data).toMatchObject({ proposal: null, before: { resolution: "unresolved" } });
    }
    const stale = { kycRecordId: "kyc_1", decision: { outcome: "refused" }, version: "2" };
    await expect(operations.records.resolve.execute(ports, callBy(), stale)).rejects.toMatchObject({
      code: "KYC_RECORD_CONFLICT",
    });
    expect(proposed).toEqual([]);
  });

  it("an approval needs that the proposer has opened the evidence", async () => {
    const { ports, proposed } = makePorts([]);
    await expect(operations.records.resolve.execute(ports, callBy(), approval)).rejects.toMatchObject({
      code: "KYC_RECORD_CONFLICT",
      details: { violations: [{ rule: "evidence-not-opened" }] },
    });
    expect(proposed).toEqual([]);
  });

  it("neither the command line nor a key without a person proposes an approval", async () => {
    const { ports, proposed } = makePorts();
    const key = callOf("internal", { scopes: operatorScope.options });
    await expect(operations.records.resolve.execute(ports, key, approval)).rejects.toMatchObject({
      code: "PERSON_REQUIRED",
    });
    for (const act of [approval, inReview])
      await expect(operations.records.resolve.execute(ports, operatorCall, act)).rejects.toMatchObject({
        code: "PERSON_REQUIRED",
        details: { violations: [{ message: expect.stringContaining("Two persons do this in the console") }] },
      });
    expect(proposed).toEqual([]);
  });

  it("other evidence than the caller saw is a conflict", async () => {
    const { ports, proposed } = makePorts();
    const input = { ...approval, evidenceHash: "0".repeat(64) };
    await expect(operations.records.resolve.execute(ports, callBy(), input)).rejects.toMatchObject({
      code: "KYC_RECORD_CONFLICT",
    });
    expect(proposed).toEqual([]);
  });

  it("a relink and an erasure are proposed, also by the command line, which has no person", async () => {
    const { ports, proposed, done, audited } = makePorts();
    const relink = { ...erased, memberId: "member-2" };
    expect((await operations.users.relink.execute(ports, operatorCall, relink)).data).toMatchObject({
      proposal: exampleProposal,
      erasure: "none",
    });
    expect((await operations.users.erase.execute(ports, operatorCall, erased)).data).toMatchObject({
      proposal: exampleProposal,
    });
    expect(proposed.map(({ act, personId }) => [act.kind, personId])).toEqual([
      ["relink", null],
      ["erase", null],
    ]);
    expect([done, audited]).toEqual([[], []]);
  });
});

it("with FOUR_EYES off, the acts happen at once and are audited", async () => {
  const { ports, proposed, done, audited } = makePorts();
  const resolved = await alone.records.resolve.execute(ports, callBy(), approval);
  expect(resolved.data).toMatchObject({ after: { status: "APPROVED" }, proposal: null });
  await alone.users.relink.execute(ports, callBy(), { ...erased, memberId: "member-2" });
  expect((await alone.users.erase.execute(ports, operatorCall, erased)).data).toMatchObject({
    proposal: null,
  });
  expect([done, proposed]).toEqual([["relink", "erase"], []]);
  expect(audited.map(({ operation }) => operation)).toEqual(["users.relink", "users.erase"]);
  const stale = { ...erased, version: "another" };
  await expect(alone.users.erase.execute(ports, callBy(), stale)).rejects.toMatchObject({
    code: "PROPOSAL_CONFLICT",
  });
});

it("with FOUR_EYES off, a person approves after looking, and the command line without", async () => {
  const resolve = (call: Parameters<typeof alone.records.resolve.execute>[1], openedBy: string[]) =>
    alone.records.resolve.execute(makePorts(openedBy).ports, call, approval);
  await expect(resolve(callBy(), [])).rejects.toMatchObject({
    code: "KYC_RECORD_CONFLICT",
    details: { violations: [{ rule: "evidence-not-opened" }] },
  });
  const key = callOf("internal", { scopes: operatorScope.options });
  await expect(resolve(key, ["per_ada"])).rejects.toMatchObject({ code: "PERSON_REQUIRED" });
  expect((await resolve(callBy(), ["per_ada"])).data).toMatchObject({ after: { status: "APPROVED" } });
  expect((await resolve(operatorCall, [])).data).toMatchObject({ after: { status: "APPROVED" } });
});

describe("a decision about a proposal", () => {
  const shown = {
    ...exampleProposalDetails,
    kind: "erase" as const,
    note: null,
    subStatus: null,
    cardAccountId: null,
  };
  const deciding = (why?: ProposalConflict) => {
    const { ports, audited } = fakePorts();
    const proposals = {
      ...ports.proposals,
      show: async () => shown,
      confirm: async () =>
        why ? ({ confirmed: false, why } as const) : ({ confirmed: true, change: null } as const),
      withdraw: async () => ({ withdrawn: true }) as const,
    };
    return { ports: { ...ports, proposals }, audited };
  };
  const input = { proposalId: "prop_1" };

  it.each(["get", "confirm", "withdraw"] as const)("needs the scope of the act to %s it", async (verb) => {
    const run = (scopes: readonly OperatorScope[]) =>
      operations.proposals[verb].execute(deciding().ports, callBy(scopes), input);
    await expect(run(["ops.records.decide", "ops.compliance"])).rejects.toMatchObject({
      code: "SCOPE_MISSING",
      details: { violations: [{ message: expect.stringContaining("ops.users.write") }] },
    });
    expect((await run(["ops.users.write"])).data).toMatchObject({ kind: "erase" });
  });

  it("needs a person to confirm, and none to read or to withdraw", async () => {
    const { ports } = deciding();
    const key = callOf("internal", { scopes: ["ops.users.write"] });
    await expect(operations.proposals.confirm.execute(ports, key, input)).rejects.toMatchObject({
      code: "PERSON_REQUIRED",
    });
    await expect(operations.proposals.confirm.execute(ports, operatorCall, input)).rejects.toMatchObject({
      code: "SCOPE_MISSING",
    });
    for (const verb of ["get", "withdraw"] as const)
      expect((await operations.proposals[verb].execute(ports, operatorCall, input)).data).toBeTruthy();
  });

  it.each([
    "same-person",
    "proposer-blocked",
    "evidence-not-opened",
    "proposer-evidence-not-opened",
  ] as const)("is audited on the platform of the proposal if it is refused as %s", async (why) => {
    const { ports, audited } = deciding(why);
    await expect(operations.proposals.confirm.execute(ports, callBy(), input)).rejects.toMatchObject({
      code: "PROPOSAL_CONFLICT",
      details: { violations: [{ rule: why, path: ["proposalId"], message: expect.any(String) }] },
    });
    expect(audited).toMatchObject([
      {
        platformId: exampleProposal.platformId,
        operation: "proposals.confirm",
        subject: "prop_1",
        outcome: "PROPOSAL_CONFLICT",
        actor: "per_ada/key_1",
      },
    ]);
  });
});
