import { operatorScope, type Role } from "@cardbridge/domain";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoPlatforms } from "../../src/boot/demo-data.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/** Acts that need two persons, over the whole service with a real database (gap G38). */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
let appKey: string;
let admin: Client;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({
    events: false,
    env: { ...issuer.env, PROVIDER_KYC_TIMEOUT_MS: "500" },
  });
  appKey = await makeInternalKey(service.adminUrl, operatorScope.options);
  admin = new Client(service.adminUrl);
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await service.stop();
  await issuer.stop();
});

const platformId = demoPlatforms[0]?.id ?? "";
const now = () => Math.floor(Date.now() / 1_000);

async function callAs(sub: string, { roles = ["compliance"] as Role[], age = 0 } = {}) {
  const claims = { sub, name: sub, roles, auth_time: now() - age };
  const client = trpcClient({ url: service.url, apiKey: appKey, person: await issuer.token(claims) });
  return client;
}

async function submitted(tag = "approved") {
  const { body } = await restSubmit(service.caller(), newSubmission(tag));
  return body as { externalUserId: string; kycRecordId: string };
}
type Caller = Awaited<ReturnType<typeof callAs>>;
const decision = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_7" } as const;
const open = (person: Caller, kycRecordId: string) =>
  person.records.submission.mutate({ kycRecordId, purpose: "review" });

/** An unresolved record, and its proposed approval by Ada. She has opened the evidence, and Grace too. */
async function proposedApproval(tag = "mismatched", isOpenedByGrace = true) {
  const ids = await submitted(tag);
  const { kycRecordId } = ids;
  const ada = await callAs("Ada");
  await open(ada, kycRecordId);
  const act = { kycRecordId, decision, note: "By telephone." };
  const { proposal, after } = await ada.records.resolve.mutate(act);
  expect(after.resolution).toBe("unresolved");
  const grace = await callAs("Grace");
  if (isOpenedByGrace) await open(grace, kycRecordId);
  return { ...ids, proposalId: proposal?.proposalId ?? "", proposal, ada, grace };
}
const refusalOf = async (call: Promise<unknown>) => {
  const problem = await problemIn(call);
  return [problem?.code, problem?.errors?.[0]?.rule].filter(Boolean).join(" ");
};
const entries = async (subject: string) =>
  (
    await admin.query<{ actor: string; operation: string; outcome: string }>(
      "select actor, operation, outcome from audit_entries where subject = $1 order by id",
      [subject],
    )
  ).rows;

describe("an approval", () => {
  it("is proposed by one person and confirmed by another one, and the audit names both", async () => {
    const { ada, grace, kycRecordId, proposalId, proposal } = await proposedApproval();
    expect(proposal).toMatchObject({
      state: "open",
      kycRecordId,
      mayConfirm: false,
      proposer: { name: "Ada" },
    });
    expect(await refusalOf(ada.proposals.confirm.mutate({ proposalId }))).toBe(
      "PROPOSAL_CONFLICT same-person",
    );
    const waiting = await grace.proposals.list.query({ waitingForMe: true, kycRecordId });
    expect(waiting).toMatchObject({ proposals: [{ proposalId, mayConfirm: true }] });
    expect(await grace.proposals.get.query({ proposalId })).toMatchObject({
      note: "By telephone.",
      cardAccountId: "acct_7",
    });
    expect(await grace.proposals.confirm.mutate({ proposalId })).toMatchObject({
      state: "confirmed",
      decidedBy: { name: "Grace" },
    });
    expect(await grace.records.get.query({ kycRecordId })).toMatchObject({
      status: "APPROVED",
      cardAccountId: "acct_7",
    });
    const { notes } = await grace.records.notes.query({ kycRecordId });
    expect(notes).toMatchObject([{ text: "By telephone.", by: { name: "Ada" } }]);
    const audited = (await entries(proposalId)).filter(({ operation }) => operation !== "proposals.get");
    expect(audited.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ["records.resolve", "done"],
      ["proposals.confirm", "PROPOSAL_CONFLICT"],
      ["proposals.confirm", "done"],
    ]);
    const [proposed, refused, confirmed] = audited.map(({ actor }) => actor);
    expect([proposed === refused, proposed === confirmed]).toEqual([true, false]);
    const acts = (await entries(kycRecordId)).filter(({ operation }) => operation === "records.resolve");
    expect(acts).toMatchObject([{ actor: confirmed, outcome: "done" }]);
  });

  it("is neither proposed nor confirmed by a person who has not opened the evidence", async () => {
    const { kycRecordId } = await submitted("mismatched");
    const ada = await callAs("Ada");
    const act = { kycRecordId, note: "By telephone." };
    const inReview = { ...decision, subStatus: "pending_approval" } as const;
    for (const one of [decision, inReview])
      expect(await refusalOf(ada.records.resolve.mutate({ ...act, decision: one }))).toBe(
        "KYC_RECORD_CONFLICT evidence-not-opened",
      );
    await open(ada, kycRecordId);
    const { proposal } = await ada.records.resolve.mutate({ ...act, decision: inReview });
    const proposalId = proposal?.proposalId ?? "";
    const grace = await callAs("Grace");
    expect(await grace.proposals.get.query({ proposalId })).toMatchObject({
      ...{ subStatus: "pending_approval", cardAccountId: "acct_7", mayConfirm: true },
      evidenceOpened: { proposer: true, caller: false },
    });
    expect(await refusalOf(grace.proposals.confirm.mutate({ proposalId }))).toBe(
      "PROPOSAL_CONFLICT evidence-not-opened",
    );
    await open(grace, kycRecordId);
    expect(await grace.proposals.confirm.mutate({ proposalId })).toMatchObject({ state: "confirmed" });
    expect(await grace.records.get.query({ kycRecordId })).toMatchObject({
      status: "PENDING_APPROVAL",
      cardAccountId: "acct_7",
    });
  });

  it("is void while its proposer is blocked", async () => {
    const { grace, proposalId, proposal } = await proposedApproval();
    const { personId } = proposal?.proposer ?? { personId: "" };
    await admin.query("update persons set blocked_at = now() where id = $1", [personId]);
    expect(await grace.proposals.get.query({ proposalId })).toMatchObject({
      ...{ state: "void", mayConfirm: false, evidenceOpened: null },
    });
    expect(await refusalOf(grace.proposals.confirm.mutate({ proposalId }))).toBe(
      "PROPOSAL_CONFLICT proposer-blocked",
    );
    await admin.query("update persons set blocked_at = null");
  });

  it("is void after a verdict of the provider", async () => {
    const { grace, kycRecordId, proposalId } = await proposedApproval("timeout-after-effect");
    // The attempt of the submission ends its lease at most this late.
    await admin.query("update kyc_records set lease_until = null where id = $1", [kycRecordId]);
    const patient = { ...service.env, PROVIDER_KYC_TIMEOUT_MS: "" };
    expect(await runCommand(["records", "refresh", kycRecordId], patient)).toMatchObject({ code: 0 });
    expect(await grace.proposals.get.query({ proposalId })).toMatchObject({
      state: "void",
      mayConfirm: false,
    });
    expect(await refusalOf(grace.proposals.confirm.mutate({ proposalId }))).toBe("PROPOSAL_CONFLICT changed");
    const { history } = await grace.records.get.query({ kycRecordId });
    expect(history.map(({ source }) => source)).toEqual(["submission", "provider"]);
  });

  it("expires", async () => {
    const { grace, proposalId } = await proposedApproval();
    await admin.query("update proposals set expires_at = now() where id = $1", [proposalId]);
    expect(await refusalOf(grace.proposals.confirm.mutate({ proposalId }))).toBe("PROPOSAL_CONFLICT expired");
  });

  it("can be withdrawn by the proposer, and then no longer be confirmed", async () => {
    const { ada, grace, proposalId } = await proposedApproval();
    expect(await ada.proposals.withdraw.mutate({ proposalId })).toMatchObject({ state: "withdrawn" });
    expect(await refusalOf(grace.proposals.confirm.mutate({ proposalId }))).toBe("PROPOSAL_CONFLICT decided");
    expect((await entries(proposalId)).at(-2)).toMatchObject({
      operation: "proposals.withdraw",
      outcome: "done",
    });
  });

  it("needs a recent sign-in, and the role, to be confirmed", async () => {
    const { proposalId } = await proposedApproval();
    const late = await callAs("Grace", { age: 1_000 });
    expect(await refusalOf(late.proposals.confirm.mutate({ proposalId }))).toBe("SIGN_IN_TOO_OLD");
    const support = await callAs("Sue", { roles: ["support"] });
    expect(await refusalOf(support.proposals.confirm.mutate({ proposalId }))).toBe("SCOPE_MISSING scope");
    expect(await refusalOf(support.proposals.get.query({ proposalId }))).toBe("SCOPE_MISSING scope");
  });

  it("is refused for other evidence than the caller saw, and conflicts with an equal proposal", async () => {
    const { ada, kycRecordId } = await proposedApproval();
    const note = "By telephone.";
    const resolve = (more: object) => ada.records.resolve.mutate({ kycRecordId, decision, note, ...more });
    expect(await refusalOf(resolve({ evidenceHash: "0".repeat(64) }))).toBe(
      "KYC_RECORD_CONFLICT record-state",
    );
    expect(await refusalOf(resolve({}))).toBe("PROPOSAL_CONFLICT proposed");
    expect(await refusalOf(resolve({ version: "1" }))).toBe("PROPOSAL_CONFLICT changed");
  });
});

describe("the command line", () => {
  const cli = (...args: string[]) => runCommand(["--by", "eve", ...args], service.env);
  const platform = ["--platform", platformId];
  const proposalIn = (stdout: string) => /prop_\w+/.exec(stdout)?.[0] ?? "";
  const isProposed =
    /^Proposed prop_\w+: another person confirms it in the console within 24 hours\. Nothing changed yet\.\n$/;

  it("proposes neither an approval nor a card account, and says who can", async () => {
    const { kycRecordId } = await submitted("mismatched");
    for (const decision of [
      ["--status", "approved", "--no-account"],
      ["--status", "pending_approval", "--account", "acct_7"],
    ]) {
      const resolve = ["records", "resolve", kycRecordId, ...decision];
      expect(await cli(...resolve, "--note", "By telephone.")).toEqual({
        ...{ code: 1, stdout: "" },
        stderr: expect.stringContaining("Two persons do this in the console."),
      });
      expect(await cli(...resolve)).toMatchObject({ code: 2, stderr: expect.stringMatching(/^--note: /) });
    }
    const alone = { ...service.env, FOUR_EYES: "off" };
    const approve = ["--status", "approved", "--no-account", "--note", "By telephone."];
    const { stdout } = await runCommand(
      ["--by", "eve", "records", "resolve", kycRecordId, ...approve],
      alone,
    );
    expect(stdout).toContain("APPROVED");
  });

  it("proposes every other act, clearly, and changes nothing", async () => {
    const { externalUserId } = await submitted("mismatched");
    const place = ["holds", "place", ...platform, "--user", externalUserId, "--reference", "case/7"];
    const { holdId } = JSON.parse((await cli(...place, "--json")).stdout);
    for (const args of [
      ["users", "relink", ...platform, externalUserId, "--member-id", "member-x"],
      ["users", "erase", ...platform, externalUserId, "--note", "Requested by letter."],
      ["holds", "lift", ...platform, holdId],
    ])
      expect(await cli(...args)).toEqual({ code: 0, stdout: expect.stringMatching(isProposed), stderr: "" });
    const shown = JSON.parse((await cli("users", "show", ...platform, externalUserId, "--json")).stdout);
    expect(shown).toMatchObject({ erasure: "none", held: true, records: [{ resolution: "unresolved" }] });
    const listed = await cli("proposals", "list", "--user", externalUserId);
    expect(listed.stdout.match(/prop_\w+ +(relink|erase|liftHold) +open/g)).toHaveLength(3);
  });

  it("does not confirm, but a person does; and it withdraws", async () => {
    const erase = async () => {
      const { externalUserId } = await submitted();
      return {
        externalUserId,
        proposalId: proposalIn((await cli("users", "erase", ...platform, externalUserId)).stdout),
      };
    };
    const { externalUserId, proposalId } = await erase();
    expect(await cli("proposals", "confirm", proposalId)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown command 'confirm'"),
    });
    const grace = await callAs("Grace");
    expect(await grace.proposals.confirm.mutate({ proposalId })).toMatchObject({
      state: "confirmed",
      proposer: null,
      proposedBy: "claim:eve",
    });
    expect(await grace.users.show.query({ platformId, externalUserId })).toMatchObject({
      erasure: "requested",
    });
    const other = await erase();
    expect((await cli("proposals", "withdraw", other.proposalId)).stdout).toMatch(/^state +withdrawn$/m);
    expect((await cli("proposals", "get", other.proposalId)).stdout).toMatch(/^state +withdrawn$/m);
  });

  it("acts at once with FOUR_EYES off", async () => {
    const { externalUserId } = await submitted();
    const alone = { ...service.env, FOUR_EYES: "off" };
    const { stdout } = await runCommand(["users", "erase", ...platform, externalUserId], alone);
    expect(stdout).toMatch(/^erasure +requested$/m);
  });
});

it("a person of one platform sees no proposal of another one", async () => {
  const { proposalId, kycRecordId } = await proposedApproval();
  const claims = { sub: "Bob", roles: ["compliance"], auth_time: now(), platforms: [demoPlatforms[1]?.id] };
  const bob = trpcClient({ url: service.url, apiKey: appKey, person: await issuer.token(claims) });
  expect(await bob.proposals.list.query({ kycRecordId })).toMatchObject({ proposals: [], waitingForMe: 0 });
  for (const call of [
    () => bob.proposals.get.query({ proposalId }),
    () => bob.proposals.confirm.mutate({ proposalId }),
    () => bob.proposals.withdraw.mutate({ proposalId }),
  ])
    expect(await refusalOf(call())).toBe("PROPOSAL_NOT_FOUND");
});
