import { expect, it } from "vitest";
import { newOrder } from "./orders.ts";
import type { ConformanceSetup } from "./setup.ts";

/** Tests of submitting and asking. */
export function describeKyc(setup: () => ConformanceSetup): void {
  it("answers yes with the raw status and the card account", async () => {
    const { provider, emailFor } = setup();
    const approved = await provider.submitKyc(newOrder(emailFor("approved")));
    expect(approved).toMatchObject({
      outcome: "answered",
      subStatus: "approved",
      cardAccountId: expect.any(String),
    });

    const pending = await provider.submitKyc(newOrder(emailFor("pending")));
    expect(pending).toMatchObject({
      outcome: "answered",
      subStatus: "pending_approval",
      cardAccountId: null,
    });
  });

  it("passes a status that nobody has mapped as it is", async () => {
    const { provider, emailFor } = setup();
    const answer = await provider.submitKyc(newOrder(emailFor("new-status")));
    expect(answer).toMatchObject({ outcome: "answered", subStatus: expect.stringMatching(/./) });
    expect(answer).not.toMatchObject({
      subStatus: expect.stringMatching(/^(not_submitted|pending_approval|approved|rejected)$/),
    });
  });

  it("executes a reference once, however often it is submitted", async () => {
    const { provider, emailFor, executions } = setup();
    const order = newOrder(emailFor("approved"));
    const answers = await Promise.all([1, 2, 3, 4].map(() => provider.submitKyc(order)));
    answers.push(await provider.submitKyc(order));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ outcome: "answered" });
    expect(await executions(order.reference)).toHaveLength(1);
  });

  it("does not know what other content under a used reference came to, and executes none of it", async () => {
    const { provider, emailFor, executions } = setup();
    const order = newOrder(emailFor("approved"));
    await provider.submitKyc(order);
    const changed = { ...order, applicant: { ...order.applicant, occupation: "Painter" } };
    expect(await provider.submitKyc(changed)).toMatchObject({ outcome: "unknown" });
    expect(await executions(order.reference)).toHaveLength(1);
  });

  it("answers a refusal as a refusal, again and when asked, and executes nothing", async () => {
    const { provider, emailFor, executions } = setup();
    const order = newOrder(emailFor("refused"));
    expect(await provider.submitKyc(order)).toEqual({ outcome: "refused" });
    expect(await provider.submitKyc(order)).toEqual({ outcome: "refused" });
    expect(await provider.findKyc(order)).toEqual({ outcome: "refused" });
    expect(await executions(order.reference)).toHaveLength(0);
  });

  it("finds nothing before a submission, and afterwards the same as it answered", async () => {
    const { provider, emailFor } = setup();
    const order = newOrder(emailFor("approved"));
    expect(await provider.findKyc(order)).toEqual({ outcome: "not-found" });
    const answer = await provider.submitKyc(order);
    expect(await provider.findKyc(order)).toEqual(answer);
  });

  it("does not know after a lost answer, and finds the submission by asking", async () => {
    const { provider, emailFor, executions } = setup();
    const order = newOrder(emailFor("answer-lost"));
    expect(await provider.submitKyc(order)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(order)).toMatchObject({ outcome: "answered" });
    expect(await executions(order.reference)).toHaveLength(1);
  });

  it("does not know after a lost request, finds nothing, and may send it again", async () => {
    const { provider, emailFor, executions } = setup();
    const order = newOrder(emailFor("request-lost"));
    expect(await provider.submitKyc(order)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(order)).toEqual({ outcome: "not-found" });
    expect(await executions(order.reference)).toHaveLength(0);
    expect(await provider.submitKyc(order)).toMatchObject({ outcome: "answered" });
    expect(await executions(order.reference)).toHaveLength(1);
  });

  it("never takes an answer about another submission or another user for ours", async () => {
    const { provider, emailFor } = setup();
    const order = newOrder(emailFor("foreign"));
    expect(await provider.submitKyc(order)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(order)).toMatchObject({ outcome: "unknown" });

    const known = newOrder(emailFor("approved"));
    await provider.submitKyc(known);
    const other = { reference: known.reference, userReference: newOrder("").userReference };
    expect(await provider.findKyc(other)).toMatchObject({ outcome: "unknown" });
  });

  it("sends the submission and never a member id, not even one that strayed into it", async () => {
    const { provider, emailFor, executions } = setup();
    const order = newOrder(emailFor("approved"));
    const memberId = "member-7f3c9a51e0";
    await provider.submitKyc({ ...order, applicant: Object.assign({ memberId }, order.applicant) });
    const received = JSON.stringify(await executions(order.reference));
    expect(received).toContain(order.applicant.documentNumber);
    expect(received).not.toContain(memberId);
  });
}
