import {
  defaultPolicies,
  type NewProposal,
  type OperatorScope,
  operatorScope,
  type ProposalConflict,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../src/index.ts";
import { exampleProposal, exampleProposalDetails } from "../../src/proposals/example.ts";
import { exampleUser, exampleUserReference } from "../../src/users/user.ts";
import { callOf, codeOf, operatorCall, personCall, rulesOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const operations = createOperations(defaultPolicies);
const alone = createOperations({ ...defaultPolicies, fourEyes: false });
const ada = personCall(operatorScope.options);
const relink = { ...exampleUserReference, memberId: "member-2" };

/** Ports that store proposals and erasures. */
function makePorts() {
  const proposed: NewProposal[] = [];
  const done: string[] = [];
  const { ports, audited } = fakePorts();
  const user = { ...exampleUser, records: [] };
  ports.platforms.find = async () => ({ platformId: "plt_1" });
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
