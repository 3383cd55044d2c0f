import { kycExplanation, maxReasons, type ProviderSteps, restrictedReasons } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { newKycRequest } from "./inputs.ts";
import type { ConformanceSetup } from "./setup.ts";

const expired = { code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" };

/** Tests of `submitKyc` and `findKyc`. */
export function describeKyc(setup: () => ConformanceSetup): void {
  it("returns the raw status and the card account", async () => {
    const { provider, emailFor } = setup();
    const approved = await provider.submitKyc(newKycRequest(emailFor("approved")));
    expect(approved).toMatchObject({
      outcome: "answered",
      subStatus: "approved",
      cardAccountId: expect.any(String),
    });

    const pending = await provider.submitKyc(newKycRequest(emailFor("pending")));
    expect(pending).toMatchObject({
      outcome: "answered",
      subStatus: "pending_approval",
      cardAccountId: null,
    });
  });

  it("passes an unmapped status unchanged", async () => {
    const { provider, emailFor } = setup();
    const answer = await provider.submitKyc(newKycRequest(emailFor("new-status")));
    expect(answer).toMatchObject({ outcome: "answered", subStatus: expect.stringMatching(/./) });
    expect(answer).not.toMatchObject({
      subStatus: expect.stringMatching(/^(not_submitted|pending_approval|approved|rejected)$/),
    });
  });

  it("executes a reference once for repeated and concurrent submissions", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(emailFor("approved"));
    const answers = await Promise.all([1, 2, 3, 4].map(() => provider.submitKyc(request)));
    answers.push(await provider.submitKyc(request));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ outcome: "answered" });
    expect(await executions(request.reference)).toHaveLength(1);
  });

  it("returns unknown for other content under a used reference, and executes nothing", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(emailFor("approved"));
    await provider.submitKyc(request);
    const changed = { ...request, applicant: { ...request.applicant, occupation: "Painter" } };
    expect(await provider.submitKyc(changed)).toMatchObject({ outcome: "unknown" });
    expect(await executions(request.reference)).toHaveLength(1);
  });

  it("returns a refusal for every submission and query, and executes nothing", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(emailFor("refused"));
    expect(await provider.submitKyc(request)).toEqual({ outcome: "refused" });
    expect(await provider.submitKyc(request)).toEqual({ outcome: "refused" });
    expect(await provider.findKyc(request)).toEqual({ outcome: "refused" });
    expect(await executions(request.reference)).toHaveLength(0);
  });

  it("returns the reasons of a refusal for every submission and query", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(emailFor("refused-expired"));
    const refusal = { outcome: "refused", explanation: { reasons: [expired], final: false } };
    expect(await provider.submitKyc(request)).toEqual(refusal);
    expect(await provider.submitKyc(request)).toEqual(refusal);
    expect(await provider.findKyc(request)).toEqual(refusal);
  });

  it("returns the reasons of a rejection, and that it is final", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(emailFor("rejected-expired"));
    const explanation = { reasons: [expired], final: true };
    const rejection = { outcome: "answered", subStatus: "rejected", explanation };
    expect(await provider.submitKyc(request)).toMatchObject(rejection);
    expect(await provider.findKyc(request)).toMatchObject(rejection);
  });

  it("maps an unknown reason to OTHER", async () => {
    const { provider, emailFor } = setup();
    expect(await provider.submitKyc(newKycRequest(emailFor("unknown-reason")))).toMatchObject({
      outcome: "refused",
      explanation: { reasons: [{ code: "OTHER" }] },
    });
  });

  it("keeps a restricted reason apart, and shows neither it nor that the refusal is final", async () => {
    const { provider, emailFor } = setup();
    const answer = await provider.submitKyc(newKycRequest(emailFor("restricted-reason")));
    expect(answer).toEqual({ outcome: "refused", restricted: [expect.any(String)] });
    expect(restrictedReasons).toContain("restricted" in answer && answer.restricted?.[0]);
  });

  it("bounds and replaces invalid reasons, and keeps the refusal", async () => {
    const { provider, emailFor } = setup();
    const answer = await provider.submitKyc(newKycRequest(emailFor("invalid-reasons")));
    const explanation = kycExplanation.parse("explanation" in answer ? answer.explanation : undefined);
    expect(answer).toEqual({ outcome: "refused", explanation });
    expect(explanation.reasons).toHaveLength(maxReasons);
    expect(explanation.reasons).toContainEqual({ code: "OTHER", field: null });
  });

  it("finds nothing before a submission, and the same answer after it", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(emailFor("approved"));
    expect(await provider.findKyc(request)).toEqual({ outcome: "not-found" });
    const answer = await provider.submitKyc(request);
    expect(await provider.findKyc(request)).toEqual(answer);
  });

  it("returns unknown for a lost response, and finds the submission afterwards", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(emailFor("answer-lost"));
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(request)).toMatchObject({ outcome: "answered" });
    expect(await executions(request.reference)).toHaveLength(1);
  });

  it("returns unknown for a lost request, finds nothing, and can submit again", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(emailFor("request-lost"));
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(request)).toEqual({ outcome: "not-found" });
    expect(await executions(request.reference)).toHaveLength(0);
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "answered" });
    expect(await executions(request.reference)).toHaveLength(1);
  });

  it("returns unknown for a response about another submission or another user", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(emailFor("foreign"));
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(request)).toMatchObject({ outcome: "unknown" });

    const known = newKycRequest(emailFor("approved"));
    await provider.submitKyc(known);
    const other = { ...known, userReference: newKycRequest("").userReference };
    expect(await provider.findKyc(other)).toMatchObject({ outcome: "unknown" });
  });

  it.each([1, 2, 3, 4])("has one effect if the result of step %i cannot be kept", async (failing) => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(emailFor("approved"));
    let kept = 0;
    const keep: ProviderSteps["keep"] = async (...step) => {
      kept += 1;
      if (kept === failing) throw new Error("not kept");
      await request.steps.keep(...step);
    };
    const first = provider.submitKyc({ ...request, steps: { ...request.steps, keep } });
    await first.catch((error: Error) => expect(error.message).toBe("not kept"));
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "answered" });
    expect(await executions(request.reference)).toHaveLength(1);
  });

  it("sends the submission and never a member id, even if the input has one", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(emailFor("approved"));
    const memberId = "member-7f3c9a51e0";
    await provider.submitKyc({ ...request, applicant: Object.assign({ memberId }, request.applicant) });
    const received = JSON.stringify(await executions(request.reference));
    expect(received).toContain(request.applicant.documentNumber);
    expect(received).not.toContain(memberId);
  });
}
