import {
  defaultPolicies,
  type KycSubmission,
  type NewProposal,
  type OperatorScope,
  operatorScope,
  type ProposalConflict,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../src/index.ts";
import { exampleProposal, exampleProposalDetails } from "../../src/proposals/example.ts";
import { exampleUser, exampleUserReference } from "../../src/users/user.ts";
import { attentionRecord, unknown } from "../support/attention-record.ts";
import { callOf, codeOf, operatorCall, personCall, rulesOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const operations = createOperations(defaultPolicies);
const alone = createOperations({ ...defaultPolicies, fourEyes: false });
const approved = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;
const approval = { kycRecordId: "kyc_1", decision: approved, note: "By telephone." };
const inReview = { ...approval, decision: { ...approved, subStatus: "pending_approval" } };
const ada = personCall(operatorScope.options);
const key = callOf("internal", { scopes: operatorScope.options });
const relink = { ...exampleUserReference, memberId: "member-2" };

/** Ports that store proposals, erasures and resolutions, and know one record whose evidence these persons have opened. */
function makePorts(openedBy: readonly string[] = ["per_ada"]) {
  const proposed: NewProposal[] = [];
  const done: string[] = [];
  const { ports, audited } = attentionRecord({ found: unknown });
  const user = { ...exampleUser, records: [] };
  ports.platforms.find = async () => ({ platformId: "plt_1" });
  Object.assign(ports.evidence, {
    covered: async () => ({ platformId: "plt_1", fingerprint: "aa", submission: {} as KycSubmission }),
    hasOpened: async ({ personId, evidenceHash }: { personId: string; evidenceHash: string }) =>
      openedBy.includes(personId) && /^[0-9a-f]{64}$/.test(evidenceHash),
  });
  ports.proposals.create = async (proposal) => {
    proposed.push(proposal);
    return exampleProposal;
  };
  Object.assign(ports.userAdmin, {
    show: async () => user,
    relink: async () => done.push("relink") && user,
  });
  ports.erasures.request = async () => done.push("erase") > 0;
  return { ports, proposed, done, audited };
}

describe("with two persons", () => {
  it.each([
    { name: "an approval", act: approval },
    { name: "another decision with a card account", act: inReview },
  ])("$name is proposed with the current evidence, and the record stays unresolved", async ({ act }) => {
    const { ports, proposed, audited } = makePorts();
    const { data } = await operations.records.resolve.execute(ports, ada, { ...act, version: "1" });
    expect(data).toMatchObject({ after: { resolution: "unresolved" }, proposal: exampleProposal });
    const evidenceHash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(proposed).toMatchObject([
      {
        proposalId: "prop_new",
        act: { kind: "approve", kycRecordId: "kyc_1", decision: act.decision, evidenceHash },
        version: "1",
        note: "By telephone.",
        personId: "per_ada",
        by: { operation: "records.resolve", actor: "per_ada/key_1" },
      },
    ]);
    // The repository audits the proposal.
    expect(audited).toEqual([]);
  });

  it.each([
    { outcome: "refused" },
    { outcome: "answered", subStatus: "rejected" },
    { outcome: "answered", subStatus: "pending_approval", cardAccountId: null },
  ])("%j is made at once, of the version that the caller saw", async (decision) => {
    const { ports, proposed } = makePorts();
    const resolve = (version: string) =>
      operations.records.resolve.execute(ports, ada, { kycRecordId: "kyc_1", decision, version });
    expect(await codeOf(resolve("2"))).toBe("KYC_RECORD_CONFLICT");
    expect((await resolve("1")).data).toMatchObject({ proposal: null, before: { resolution: "unresolved" } });
    expect(proposed).toEqual([]);
  });

  it("an approval needs a person who has opened the evidence that the caller saw", async () => {
    const { ports, proposed } = makePorts();
    const resolve = (call: typeof ada, input: object = approval, of = ports) =>
      operations.records.resolve.execute(of, call, input as typeof approval);
    expect(await rulesOf(resolve(ada, approval, makePorts([]).ports))).toEqual(["evidence-not-opened"]);
    const changed = { ...approval, evidenceHash: "0".repeat(64) };
    expect(await codeOf(resolve(ada, changed))).toBe("KYC_RECORD_CONFLICT");
    expect(await codeOf(resolve(key))).toBe("PERSON_REQUIRED");
    for (const act of [approval, inReview])
      expect(await codeOf(resolve(operatorCall, act))).toBe("PERSON_REQUIRED");
    expect(proposed).toEqual([]);
  });
});

describe("with FOUR_EYES off", () => {
  it("a relink and an erasure happen at once and are audited", async () => {
    const { ports, proposed, done, audited } = makePorts();
    await alone.users.relink.execute(ports, ada, relink);
    const erase = (changes: object = {}) =>
      alone.users.erase.execute(ports, operatorCall, { ...exampleUserReference, ...changes });
    expect((await erase()).data).toMatchObject({ proposal: null });
    expect([done, proposed]).toEqual([["relink", "erase"], []]);
    expect(audited.map(({ operation }) => operation)).toEqual(["users.relink", "users.erase"]);
    expect(await codeOf(erase({ version: "another" }))).toBe("PROPOSAL_CONFLICT");
  });

  it.each([
    { name: "a person who has not looked", call: ada, openedBy: [], result: "KYC_RECORD_CONFLICT" },
    { name: "a person who has looked", call: ada, openedBy: ["per_ada"], result: "done" },
    { name: "a key without a person", call: key, openedBy: ["per_ada"], result: "PERSON_REQUIRED" },
    { name: "the command line", call: operatorCall, openedBy: [], result: "done" },
  ])("an approval by $name results in $result", async ({ call, openedBy, result }) => {
    const { ports } = makePorts(openedBy);
    expect(await codeOf(alone.records.resolve.execute(ports, call, approval))).toBe(result);
  });
});

describe("a decision about a proposal", () => {
  const cleared = { kind: "erase" as const, note: null, subStatus: null, cardAccountId: null };
  const deciding = (why?: ProposalConflict) => {
    const { ports, audited } = fakePorts();
    const confirmed = why ? { confirmed: false as const, why } : { confirmed: true as const, change: null };
    Object.assign(ports.proposals, {
      show: async () => ({ ...exampleProposalDetails, ...cleared }),
      confirm: async () => confirmed,
      withdraw: async () => ({ withdrawn: true }),
    });
    return { ports, audited };
  };
  const input = { proposalId: "prop_1" };

  it.each(["get", "confirm", "withdraw"] as const)("needs the scope of the act to %s it", async (verb) => {
    const run = (scopes: readonly OperatorScope[]) =>
      operations.proposals[verb].execute(deciding().ports, personCall(scopes), input);
    await expect(run(["ops.records.decide", "ops.compliance"])).rejects.toMatchObject({
      code: "SCOPE_MISSING",
      details: { violations: [{ message: expect.stringContaining("ops.users.write") }] },
    });
    expect((await run(["ops.users.write"])).data).toMatchObject({ kind: "erase" });
  });

  it("needs a person to confirm, and none to read or to withdraw", async () => {
    const run = (verb: "get" | "confirm" | "withdraw", call: typeof ada) =>
      codeOf(operations.proposals[verb].execute(deciding().ports, call, input));
    const app = callOf("internal", { scopes: ["ops.users.write"] });
    expect([await run("confirm", app), await run("confirm", operatorCall)]).toEqual([
      "PERSON_REQUIRED",
      "SCOPE_MISSING",
    ]);
    for (const verb of ["get", "withdraw"] as const) expect(await run(verb, operatorCall)).toBe("done");
  });

  it("that is refused is audited on the platform of the proposal", async () => {
    const { ports, audited } = deciding("same-person");
    const confirming = operations.proposals.confirm.execute(ports, ada, input);
    expect(await rulesOf(confirming)).toEqual(["same-person"]);
    const { platformId } = exampleProposal;
    const entry = { operation: "proposals.confirm", subject: "prop_1", outcome: "PROPOSAL_CONFLICT" };
    expect(audited).toMatchObject([{ ...entry, platformId, actor: "per_ada/key_1" }]);
  });
});
