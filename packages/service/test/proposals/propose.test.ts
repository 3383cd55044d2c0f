import { defaultPolicies, operatorScope, type Scope } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../src/index.ts";
import { callOf, codeOf, operatorCall, personCall, rulesOf } from "../support/calls.ts";
import { makeProposalWorld } from "../support/proposals.ts";

/* What the acts that need two persons propose, and what they do with FOUR_EYES off. */
const { audit, ports, proposed, submitted } = await makeProposalWorld();
const operations = createOperations(defaultPolicies);
const alone = createOperations({ ...defaultPolicies, fourEyes: false });
const ada = personCall(operatorScope.options);
const key = callOf("internal", { scopes: operatorScope.options });

/** A new user with an unresolved record. */
async function aUser() {
  const { platformId, externalUserId } = await submitted();
  return { platformId, externalUserId };
}

/** The newest entries of a platform's audit, newest first. */
const auditOf = async (platformId: string, limit: number) =>
  (await audit.list([platformId], { limit })).entries.map(({ operation, subject, outcome }) => [
    operation,
    subject,
    outcome,
  ]);

describe("with two persons", () => {
  it("a relink and an erasure are proposed, and the user stays unchanged", async () => {
    const user = await aUser();
    const { platformId, externalUserId } = user;
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
    const user = await aUser();
    const { platformId, externalUserId } = user;
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
