import { defaultPolicies, type OperatorScope, operatorScope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../src/index.ts";
import { callOf, codeOf, operatorCall, personCall, rulesOf } from "../support/calls.ts";
import { makeProposalWorld } from "../support/proposals.ts";

const { audit, ports, proposed, user } = await makeProposalWorld();
const operations = createOperations(defaultPolicies);
const alone = createOperations({ ...defaultPolicies, fourEyes: false });
const ada = personCall(operatorScope.options);
const entriesOf = async (platformId: string, noun: string) =>
  (await audit.list([platformId], { limit: 50 })).entries
    .filter(({ operation }) => operation.startsWith(noun))
    .reverse();

describe("with FOUR_EYES off", () => {
  it("a relink and an erasure happen at once and are audited", async () => {
    const { platformId, externalUserId } = await user();
    const relink = { platformId, externalUserId, memberId: "member-2" };
    expect((await alone.users.relink.execute(ports, ada, relink)).data).toMatchObject({ proposal: null });
    const erase = (changes: object = {}) =>
      alone.users.erase.execute(ports, operatorCall, { platformId, externalUserId, ...changes });
    expect(await codeOf(erase({ version: "another" }))).toBe("PROPOSAL_CONFLICT");
    expect((await erase()).data).toMatchObject({ erasure: "requested", proposal: null });
    expect(await entriesOf(platformId, "users.")).toMatchObject([
      { operation: "users.relink", subject: externalUserId, outcome: "done" },
      { operation: "users.erase", subject: externalUserId, outcome: "done" },
    ]);
  });
});

describe("with two persons", () => {
  it("a relink and an erasure are proposed, and the user stays as they are", async () => {
    const { platformId, externalUserId } = await user();
    const named = { platformId, externalUserId };
    const relink = { ...named, memberId: "member-2", note: "They asked." };
    for (const proposing of [
      operations.users.relink.execute(ports, ada, relink),
      operations.users.erase.execute(ports, ada, named),
    ])
      expect((await proposing).data).toMatchObject({ erasure: "none", proposal: { state: "open" } });
    expect(
      (await entriesOf(platformId, "users.")).map(({ operation, person }) => [operation, person]),
    ).toEqual([
      ["users.relink", "per_ada"],
      ["users.erase", "per_ada"],
    ]);
  });
});

describe("a decision about a proposal", () => {
  it.each(["get", "confirm", "withdraw"] as const)("needs the scope of the act to %s it", async (verb) => {
    const { proposalId } = await proposed("erase");
    const run = (scopes: readonly OperatorScope[]) =>
      operations.proposals[verb].execute(ports, personCall(scopes, { personId: "per_grace" }), {
        proposalId,
      });
    await expect(run(["ops.records.decide", "ops.compliance"])).rejects.toMatchObject({
      code: "SCOPE_MISSING",
      details: { violations: [{ message: expect.stringContaining("ops.users.write") }] },
    });
    expect((await run(["ops.users.write"])).data).toMatchObject({ kind: "erase" });
  });

  it("needs a person to confirm, and none to read or to withdraw", async () => {
    const { proposalId } = await proposed("erase");
    const run = (verb: "get" | "confirm" | "withdraw", call: typeof ada) =>
      codeOf(operations.proposals[verb].execute(ports, call, { proposalId }));
    const app = callOf("internal", { scopes: ["ops.users.write"] });
    expect([await run("confirm", app), await run("confirm", operatorCall)]).toEqual([
      "PERSON_REQUIRED",
      "SCOPE_MISSING",
    ]);
    for (const verb of ["get", "withdraw"] as const) expect(await run(verb, operatorCall)).toBe("done");
  });

  it("that is refused is audited on the platform of the proposal", async () => {
    const { platformId, proposalId } = await proposed("erase");
    const confirming = operations.proposals.confirm.execute(ports, ada, { proposalId });
    expect(await rulesOf(confirming)).toEqual(["same-person"]);
    const entry = { operation: "proposals.confirm", subject: proposalId, outcome: "PROPOSAL_CONFLICT" };
    expect(await entriesOf(platformId, "proposals.")).toMatchObject([{ ...entry, person: "per_ada" }]);
  });
});
