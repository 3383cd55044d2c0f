import type { ProviderKycRequest } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { memorySteps, newKycRequest } from "./inputs.ts";
import type { ConformanceSetup, Scenario } from "./setup.ts";

/** Tests of submissions that renew an approval, for providers that verify an approved user again. */
export function describeRenewals(setup: () => ConformanceSetup): void {
  /** An approved submission, a renewal of it, and what the user has: the account and the cards. */
  async function approve(scenario: Scenario) {
    const { provider, emailFor, statuses, stepsOf } = setup();
    const first = newKycRequest(await emailFor(scenario));
    const { reference, userReference, applicant } = first;
    const stepsOfUser = () => stepsOf?.(userReference) ?? memorySteps();
    const approved = { ...first, steps: stepsOfUser() };
    const approval = await provider.submitKyc(approved);
    expect(approval).toMatchObject({ outcome: "answered", subStatus: statuses.approved });
    const account = "cardAccountId" in approval ? approval.cardAccountId : null;
    expect(account).toEqual(expect.any(String));
    const renewed = { documentNumber: `R${applicant.documentNumber}`, documentExpiryDate: "2041-05-01" };
    const renewal: ProviderKycRequest = {
      ...newKycRequest(applicant.email),
      userReference,
      steps: stepsOfUser(),
      renews: reference,
      applicant: { ...applicant, ...renewed },
    };
    const cards = () => provider.listCards({ userReference, page: 1, pageSize: 100 });
    return { approved, renewal, account, cards, before: await cards() };
  }

  it("keeps the account and the cards, and sends the new document", async () => {
    const { provider, executions, statuses } = setup();
    const { renewal, account, cards, before } = await approve("approved");
    const verdict = { outcome: "answered", subStatus: statuses.approved, cardAccountId: account };
    expect(await provider.submitKyc(renewal)).toMatchObject(verdict);
    expect(await provider.findKyc(renewal)).toMatchObject(verdict);
    expect(await cards()).toEqual(before);
    expect(JSON.stringify(await executions(renewal))).toContain(renewal.applicant.documentNumber);
  });

  it("has one effect, however often it is sent", async () => {
    const { provider, executions } = setup();
    const { renewal, cards, before } = await approve("approved");
    expect(await provider.findKyc(renewal)).toEqual({ outcome: "not-found" });
    const answer = await provider.submitKyc(renewal);
    expect(await provider.submitKyc(renewal)).toEqual(answer);
    expect(await executions(renewal)).toHaveLength(1);
    expect(await cards()).toEqual(before);
  });

  it("leaves the approval as it is if it is refused", async () => {
    const { provider } = setup();
    const { approved, renewal, cards, before } = await approve("renewal-refused");
    const approval = await provider.findKyc(approved);
    expect(approval).toMatchObject({ outcome: "answered" });
    expect(await provider.submitKyc(renewal)).toMatchObject({ outcome: "refused" });
    expect(await provider.submitKyc(renewal)).toMatchObject({ outcome: "refused" });
    expect(await provider.findKyc(approved)).toEqual(approval);
    expect(await cards()).toEqual(before);
  });

  it("returns unknown for a lost response, and resolves it with the existing renewal", async () => {
    const { provider, executions, passDeadline } = setup();
    const { renewal, account, cards, before } = await approve("renewal-answer-lost");
    const lost = provider.submitKyc(renewal);
    await passDeadline(renewal);
    expect(await lost).toMatchObject({ outcome: "unknown" });
    const found = await provider.findKyc(renewal);
    const resolved = found.outcome === "not-found" ? await provider.submitKyc(renewal) : found;
    expect(resolved).toMatchObject({ outcome: "answered" });
    expect([account, null]).toContain("cardAccountId" in resolved && resolved.cardAccountId);
    expect(await executions(renewal)).toHaveLength(1);
    expect(await cards()).toEqual(before);
  });
}
