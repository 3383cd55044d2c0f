import { defaultPolicies, isReversal, operatorScope } from "@cardbridge/domain";
import { describe, expect, it, test } from "vitest";
import { currentEvidenceHash } from "../../src/evidence/evidence.ts";
import type { Call } from "../../src/index.ts";
import { listRecordNotes } from "../../src/notes/list.ts";
import { resolveRecord } from "../../src/records/resolve.ts";
import { needingAttention } from "../support/attention-record.ts";
import { callOf, codeOf, operatorCall, personCall, rulesOf } from "../support/calls.ts";
import { openEvidence } from "../support/opening.ts";
import { answered, makeWorld, someone } from "../support/world.ts";

const world = await makeWorld();
const { admin, audit, kyc, person, records, rowsOf, submitted } = world;
await person({ personId: "per_ada", name: "Ada" });
const together = resolveRecord({ ...defaultPolicies, fourEyes: true });
const alone = resolveRecord({ ...defaultPolicies, fourEyes: false });
const refusal = { outcome: "refused" } as const;
const review = { outcome: "answered", subStatus: "pending_approval" } as const;
const approval = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;
const note = "By telephone.";
const ada = personCall(operatorScope.options);
const key = callOf("internal", { scopes: operatorScope.options });

interface Input {
  kycRecordId: string;
  decision: object;
  note?: string | undefined;
  version?: string | undefined;
  evidenceHash?: string | undefined;
}
/** Resolves a record, whose evidence these persons have opened. */
async function resolve(
  input: Input,
  call: Call = operatorCall,
  openedBy: readonly string[] = [],
  operation = alone,
) {
  const { kycRecordId } = input;
  const [row] = await admin("select platform_id from kyc_records where id = $1", [kycRecordId]);
  for (const personId of openedBy) {
    const record = { platformId: row.platform_id, kycRecordId };
    const evidenceHash = await currentEvidenceHash(world.ports, record);
    await openEvidence(world, { kycRecordId, personId, evidenceHash });
  }
  const sent = { note, ...input } as Input & { decision: typeof refusal; note: string };
  const { data } = await operation.execute(world.ports, call, sent);
  return data;
}

const theRow = async (platformId: string) => (await rowsOf("kyc_records", platformId))[0];
const proposalsOf = (platformId: string) =>
  admin("select id, actor, seen::text, evidence_hash from proposals where platform_id = $1", [platformId]);
/** The entries of operators, newest first. */
const entriesOf = async (platformId: string) =>
  (await audit.list([platformId], { limit: 100 })).entries.filter(
    ({ operation }) => operation === "records.resolve",
  );
const waiting = () => needingAttention(world);

describe("a manual decision", () => {
  test("resolves a record that needs attention, in one transaction with its history row, note and entry", async () => {
    const { platformId, kycRecordId } = await waiting();
    const input = { kycRecordId, decision: approval, note };
    const data = await resolve(input, ada, ["per_ada"]);
    expect(data).toMatchObject({
      before: { resolution: "unresolved" },
      after: { resolution: "answered", status: "APPROVED", revision: null, needsAttentionSince: null },
      proposal: null,
    });
    const decided = { status: "APPROVED", card_account_id: "acct_1" };
    expect(await theRow(platformId)).toMatchObject({ ...decided, needs_attention_since: null, due_at: null });
    expect(await rowsOf("kyc_history", platformId)).toMatchObject([
      { source: "submission" },
      { source: "person", status: "APPROVED", sub_status: "approved" },
    ]);
    expect(data.after.history.map(({ by }) => by)).toEqual([null, "per_ada/key_1"]);
    expect(JSON.stringify(await kyc.history(platformId, kycRecordId))).not.toContain("per_ada");
    const noted = await listRecordNotes.execute(world.ports, operatorCall, { kycRecordId });
    expect(noted.data.notes).toMatchObject([{ text: note, by: { name: "Ada" }, restricted: false }]);
    const entry = { person: "per_ada", actor: "key_1", subject: kycRecordId, outcome: "done" };
    expect(await entriesOf(platformId)).toMatchObject([entry]);
  });

  test("is applied and audited once when two operators decide at the same time, and not again later", async () => {
    const { platformId, kycRecordId } = await waiting();
    const decide = (decision: object) => resolve({ kycRecordId, decision });
    const both = await Promise.all([codeOf(decide(review)), codeOf(decide(refusal))]);
    expect(both.sort()).toEqual(["KYC_RECORD_CONFLICT", "done"]);
    await expect(decide(refusal)).rejects.toMatchObject({
      code: "KYC_RECORD_CONFLICT",
      details: { violations: [{ message: expect.stringContaining("The record is resolved") }] },
    });
    expect(await rowsOf("kyc_history", platformId)).toHaveLength(2);
    expect(await entriesOf(platformId)).toHaveLength(1);
  });

  test("that is not final keeps the record due", async () => {
    const { platformId, kycRecordId } = await waiting();
    await resolve({ kycRecordId, decision: review });
    const due = { due_at: expect.any(Date), needs_attention_since: null, step: "ask" };
    expect(await theRow(platformId)).toMatchObject(due);
  });

  test("is overridden by the provider's own decision", async () => {
    const { platformId, record, kycRecordId } = await submitted(someone(Math.random()));
    await resolve({ kycRecordId, decision: refusal });
    const stored = await kyc.storeVerdict(platformId, record, answered("approved", "acct_2"));
    expect(stored.record).toMatchObject({ resolution: "answered", status: "APPROVED", revision: 1 });
    expect(isReversal(stored.before, stored.record)).toBe(true);
    const sources = (await rowsOf("kyc_history", platformId)).map(({ source }) => source);
    expect(sources).toEqual(["submission", "person", "provider"]);
  });

  test("of another version than the current one changes nothing", async () => {
    const { kycRecordId } = await waiting();
    const { version } = await records.show(kycRecordId);
    const decide = (seen: string) => resolve({ kycRecordId, decision: refusal, version: seen, note });
    expect(await codeOf(decide(`${version}0`))).toBe("KYC_RECORD_CONFLICT");
    expect(await records.show(kycRecordId)).toMatchObject({ resolution: "unresolved", version, notes: 0 });
    expect(await decide(version)).toMatchObject({ after: { resolution: "refused", notes: 1 } });
  });

  test("of no record is not found", async () => {
    expect(await codeOf(resolve({ kycRecordId: "kyc_none", decision: refusal }))).toBe(
      "KYC_RECORD_NOT_FOUND",
    );
  });
});

const { kycRecordId: undecided } = await waiting();
it.each([
  { decision: { ...approval, cardAccountId: "4111 1111 1111 1111" }, note, rule: "no-card-number" },
  { decision: { ...approval, cardAccountId: "acct 1" }, note, rule: "card-account-id" },
  { decision: refusal, rule: "required" },
  { decision: review, note: " ", rule: "text-4000" },
  {
    decision: { ...approval, explanation: { reasons: [{ code: "UNDER_AGE" }], final: true } },
    note,
    rule: "explanation-of-rejection",
  },
])("refuses $decision by the rule $rule", async ({ decision, note, rule }) => {
  await expect(resolve({ kycRecordId: undecided, decision, note })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { violations: expect.arrayContaining([expect.objectContaining({ rule })]) },
  });
});

it.each([refusal, { outcome: "answered", subStatus: "rejected" }])(
  "accepts reasons with %j",
  async (decision) => {
    const { kycRecordId } = await waiting();
    const explanation = { reasons: [{ code: "UNDER_AGE" }], final: true };
    const stored = { reasons: [{ code: "UNDER_AGE", field: null }], final: true };
    const data = await resolve({ kycRecordId, decision: { ...decision, explanation }, note });
    expect(data).toMatchObject({ after: { explanation: stored } });
  },
);

const accountInReview = { ...review, cardAccountId: "acct_1" };

describe("with two persons", () => {
  const propose = (input: Input, call: Call = ada, openedBy = ["per_ada"]) =>
    resolve(input, call, openedBy, together);

  it.each([
    { name: "an approval", decision: approval },
    { name: "another decision with a card account", decision: accountInReview },
  ])("$name is proposed with the current evidence, and the record stays unresolved", async ({ decision }) => {
    const { platformId, kycRecordId } = await waiting();
    const { version } = await records.show(kycRecordId);
    expect(await propose({ kycRecordId, decision, note, version })).toMatchObject({
      after: { resolution: "unresolved" },
      proposal: { kind: "approve", kycRecordId, proposer: { personId: "per_ada" }, state: "open" },
    });
    const [proposal, ...others] = await proposalsOf(platformId);
    expect(proposal).toMatchObject({
      ...{ actor: "per_ada/key_1", seen: version, evidence_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(others).toEqual([]);
    // The proposal alone is audited, in its transaction.
    expect(await entriesOf(platformId)).toMatchObject([{ subject: proposal?.id, outcome: "done" }]);
    expect(await theRow(platformId)).toMatchObject({ resolution: "unresolved" });
  });

  it.each([refusal, { outcome: "answered", subStatus: "rejected" }, review])(
    "%j is made at once",
    async (decision) => {
      const { kycRecordId } = await waiting();
      expect(await propose({ kycRecordId, decision })).toMatchObject({
        proposal: null,
        before: { resolution: "unresolved" },
      });
    },
  );

  it("an approval needs a person who has opened the evidence that the caller saw", async () => {
    const { platformId, kycRecordId } = await waiting();
    const input = { kycRecordId, decision: approval, note };
    expect(await rulesOf(propose(input, ada, []))).toEqual(["evidence-not-opened"]);
    expect(await codeOf(propose({ ...input, evidenceHash: "0".repeat(64) }))).toBe("KYC_RECORD_CONFLICT");
    expect(await codeOf(propose(input, key))).toBe("PERSON_REQUIRED");
    for (const decision of [approval, accountInReview])
      expect(await codeOf(propose({ ...input, decision }, operatorCall))).toBe("PERSON_REQUIRED");
    expect(await proposalsOf(platformId)).toEqual([]);
  });
});

it.each([
  { name: "a person who has not looked", call: ada, opened: [], result: "KYC_RECORD_CONFLICT" },
  { name: "a person who has looked", call: ada, opened: ["per_ada"], result: "done" },
  { name: "a key without a person", call: key, opened: ["per_ada"], result: "PERSON_REQUIRED" },
  { name: "the command line", call: operatorCall, opened: [], result: "done" },
])("with FOUR_EYES off, an approval by $name results in $result", async ({ call, opened, result }) => {
  const { kycRecordId } = await waiting();
  const input = { kycRecordId, decision: approval, note };
  expect(await codeOf(resolve(input, call, opened))).toBe(result);
});
