import { operatorScope, type Role } from "@cardbridge/domain";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoPlatforms } from "../../src/boot/development/demo-data.ts";
import { restSubmit } from "../support/call.ts";
import { runCommand } from "../support/command-line.ts";
import { startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/**
 * Acts that need two persons, over the whole service with a real database (gap G38). The store's tests have every
 * reason for which a proposal is refused or void.
 */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
let appKey: string;
let admin: Client;
beforeAll(async () => {
  issuer = await startIssuer();
  service = await startTestService({ events: false, env: issuer.env });
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

async function callAs(
  sub: string,
  claims: { roles?: Role[]; auth_time?: number; platforms?: string[] } = {},
) {
  const now = Math.floor(Date.now() / 1_000);
  const person = await issuer.token({ sub, name: sub, roles: ["compliance"], auth_time: now, ...claims });
  return trpcClient({ url: service.url, apiKey: appKey, person });
}

async function submitted(tag = "approved") {
  const { body } = await restSubmit(service.caller(), newSubmission(tag));
  return body as { externalUserId: string; kycRecordId: string };
}
type Caller = Awaited<ReturnType<typeof callAs>>;
const decision = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_7" } as const;
const open = (person: Caller, kycRecordId: string) =>
  person.records.submission.mutate({ kycRecordId, purpose: "review" });

/** An unresolved record, and its proposed approval by Ada, who has opened the evidence. */
async function proposedApproval() {
  const { kycRecordId } = await submitted("mismatched");
  const ada = await callAs("Ada");
  const act = { kycRecordId, decision, note: "By telephone." };
  expect(await refusalOf(ada.records.resolve.mutate(act))).toBe("KYC_RECORD_CONFLICT evidence-not-opened");
  await open(ada, kycRecordId);
  const { proposal, after } = await ada.records.resolve.mutate(act);
  expect(after.resolution).toBe("unresolved");
  return { kycRecordId, proposalId: proposal?.proposalId ?? "", proposal, ada, grace: await callAs("Grace") };
}
const refusalOf = async (call: Promise<unknown>) => {
  const problem = await problemIn(call);
  return [problem?.code, problem?.errors?.[0]?.rule].filter(Boolean).join(" ");
};
async function entries(subject: string) {
  const { rows } = await admin.query<{ actor: string; operation: string; outcome: string }>(
    "select actor, operation, outcome from audit_entries where subject = $1 order by id",
    [subject],
  );
  return rows;
}

describe("an approval", () => {
  it("is proposed and confirmed by two persons who have opened the evidence, and the audit names both", async () => {
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
      evidenceOpened: { proposer: true, caller: false },
    });
    expect(await refusalOf(grace.proposals.confirm.mutate({ proposalId }))).toBe(
      "PROPOSAL_CONFLICT evidence-not-opened",
    );
    await open(grace, kycRecordId);
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
      ["proposals.confirm", "PROPOSAL_CONFLICT"],
      ["proposals.confirm", "done"],
    ]);
    const [proposed, refused, , confirmed] = audited.map(({ actor }) => actor);
    expect([proposed === refused, proposed === confirmed]).toEqual([true, false]);
    const acts = (await entries(kycRecordId)).filter(({ operation }) => operation === "records.resolve");
    expect(acts.at(-1)).toMatchObject({ actor: confirmed, outcome: "done" });
  });

  it("can be withdrawn by the proposer, and then no longer be confirmed", async () => {
    const { ada, grace, kycRecordId, proposalId } = await proposedApproval();
    const again = { kycRecordId, decision, note: "By telephone." };
    expect(await refusalOf(ada.records.resolve.mutate(again))).toBe("PROPOSAL_CONFLICT proposed");
    expect(await ada.proposals.withdraw.mutate({ proposalId })).toMatchObject({ state: "withdrawn" });
    expect(await refusalOf(grace.proposals.confirm.mutate({ proposalId }))).toBe("PROPOSAL_CONFLICT decided");
  });

  it("of one platform is not seen by a person of another one", async () => {
    const { proposalId, kycRecordId } = await proposedApproval();
    const bob = await callAs("Bob", { platforms: [demoPlatforms[1]?.id ?? ""] });
    expect(await bob.proposals.list.query({ kycRecordId })).toMatchObject({ proposals: [], waitingForMe: 0 });
    for (const verb of ["confirm", "withdraw"] as const)
      expect(await refusalOf(bob.proposals[verb].mutate({ proposalId }))).toBe("PROPOSAL_NOT_FOUND");
  });
});

describe("the command line", () => {
  const cli = (...args: string[]) => runCommand(["--by", "eve", ...args], service.env);
  const platform = ["--platform", platformId];
  const isProposed =
    /^Proposed prop_\w+: another person confirms it in the console within 24 hours\. Nothing changed yet\.\n$/;

  it("proposes no approval, and says who can; with FOUR_EYES off it acts at once", async () => {
    const { kycRecordId } = await submitted("mismatched");
    const resolve = ["records", "resolve", kycRecordId, "--status", "approved", "--no-account"];
    expect(await cli(...resolve, "--note", "By telephone.")).toEqual({
      ...{ code: 1, stdout: "" },
      stderr: expect.stringContaining("Two persons do this in the console."),
    });
    expect(await cli(...resolve)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("'--note <note>'"),
    });
    const alone = { ...service.env, FOUR_EYES: "off" };
    const { stdout } = await runCommand(["--by", "eve", ...resolve, "--note", "By telephone."], alone);
    expect(stdout).toContain("APPROVED");
  });

  it("proposes every other act, changes nothing, and withdraws what it cannot confirm", async () => {
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
    const [proposalId = ""] = /prop_\w+/.exec(listed.stdout) ?? [];
    expect(await cli("proposals", "confirm", proposalId)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("unknown command 'confirm'") },
    });
    expect((await cli("proposals", "withdraw", proposalId)).stdout).toMatch(/^state +withdrawn$/m);
  });
});
