import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/database/connect.ts";
import { actsOn, evidenceHash, makeProposalWorld } from "../support/proposals.ts";
import { answered } from "../support/world.ts";

const { admin, kyc, open, propose, submitted, urls, user } = await makeProposalWorld();

/** Runs statements as the service's role, with the rights that a stolen connection has. */
const asService = (platformId: string, statement: string, values: unknown[] = []) =>
  withConnection(urls.serviceUrl, async (client) => {
    await client.query("begin");
    await client.query("select set_config('cardbridge.platform', $1, true)", [platformId]);
    const { rows } = await client.query(statement, values);
    await client.query("commit");
    return rows;
  });

async function proposed(personId: string | null = "per_ada", subject = user()) {
  const someone = await subject;
  const { proposalId } = await propose(actsOn(someone).approve, { personId });
  const decide = async (decision: string | null, person: string | null, evidence: string | null) => {
    const statement = "select decide_proposal($1, $2, $3, $4) as result";
    const [row] = await asService(someone.platformId, statement, [proposalId, decision, person, evidence]);
    return row.result;
  };
  const row = async () => (await admin("select * from proposals where id = $1", [proposalId]))[0];
  return { ...someone, proposalId, decide, row };
}

describe("the service's role cannot, by SQL,", () => {
  test("confirm as the proposer, as nobody, or as an unknown or blocked person", async () => {
    const { decide, row } = await proposed();
    expect(await decide("confirmed", "per_ada", evidenceHash)).toBe("same-person");
    expect(await decide("confirmed", null, evidenceHash)).toBe("unknown-person");
    expect(await decide("confirmed", "per_none", evidenceHash)).toBe("unknown-person");
    await admin("update persons set blocked_at = now() where id = 'per_grace'");
    expect(await decide("confirmed", "per_grace", evidenceHash)).toBe("unknown-person");
    await admin("update persons set blocked_at = null");
    expect(await row()).toMatchObject({ decision: null, confirmer: null });
    expect(await decide("confirmed", "per_grace", evidenceHash)).toBe("done");
    const ofCommandLine = await proposed(null);
    expect(await ofCommandLine.decide("confirmed", null, evidenceHash)).toBe("unknown-person");
  });

  test("confirm an approval before both persons have opened its evidence", async () => {
    const { decide, kycRecordId, row } = await proposed("per_ada", submitted());
    await open(kycRecordId, "per_ada", "b".repeat(64));
    await open(kycRecordId, "per_grace");
    expect(await decide("confirmed", "per_grace", evidenceHash)).toBe("proposer-evidence-not-opened");
    await open(kycRecordId, "per_ada");
    expect(await decide("confirmed", "per_cleo", evidenceHash)).toBe("evidence-not-opened");
    expect(await row()).toMatchObject({ decision: null });
  });

  test("confirm another version, other evidence, or an expired or decided proposal", async () => {
    const { decide, platformId, record, proposalId } = await proposed();
    expect(await decide("confirmed", "per_grace", "b".repeat(64))).toBe("changed");
    await kyc.storeVerdict(platformId, record, answered("pending_approval"));
    expect(await decide("confirmed", "per_grace", evidenceHash)).toBe("changed");
    await admin("update proposals set expires_at = clock_timestamp() where id = $1", [proposalId]);
    expect(await decide("confirmed", "per_grace", evidenceHash)).toBe("expired");
    const other = await proposed();
    expect(await other.decide("withdrawn", null, null)).toBe("done");
    expect(await other.decide("confirmed", "per_grace", evidenceHash)).toBe("decided");
  });

  test.each([null, "approved", "CONFIRMED"])("decide %s", async (decision) => {
    const { decide, row } = await proposed();
    await expect(decide(decision, "per_grace", evidenceHash)).rejects.toMatchObject({ code: "23514" });
    expect(await row()).toMatchObject({ decision: null });
  });

  test("decide another platform's proposal", async () => {
    const { proposalId, row } = await proposed();
    const other = await user();
    const statement = "select decide_proposal($1, 'confirmed', 'per_grace', $2) as result";
    expect(await asService(other.platformId, statement, [proposalId, evidenceHash])).toEqual([
      { result: null },
    ]);
    expect(await asService("", statement, [proposalId, evidenceHash])).toEqual([{ result: null }]);
    expect(await row()).toMatchObject({ decision: null });
  });
});

test("not even the owner of the tables stores one person twice", async () => {
  const { proposalId } = await proposed();
  const same = `update proposals set decision = 'confirmed', decided_at = now(), confirmer = proposer where id = $1`;
  await expect(admin(same, [proposalId])).rejects.toMatchObject({ constraint: "proposals_two_persons" });
});
