import { knownSubStatuses, type ProviderSteps } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { newKycRequest } from "./inputs.ts";
import type { ConformanceSetup } from "./setup.ts";

/** Tests of `submitKyc` and `findKyc`. */
export function describeKyc(setup: () => ConformanceSetup): void {
  it("returns the raw status and the card account", async () => {
    const { provider, emailFor, statuses } = setup();
    const approved = await provider.submitKyc(newKycRequest(await emailFor("approved")));
    expect(approved).toMatchObject({
      outcome: "answered",
      subStatus: statuses.approved,
      cardAccountId: expect.any(String),
    });

    const pending = await provider.submitKyc(newKycRequest(await emailFor("pending")));
    expect(pending).toMatchObject({
      outcome: "answered",
      subStatus: statuses.pending,
      cardAccountId: null,
    });
  });

  it("passes an unmapped status unchanged", async () => {
    const { provider, emailFor, statuses } = setup();
    const answer = await provider.submitKyc(newKycRequest(await emailFor("new-status")));
    expect(answer).toMatchObject({ outcome: "answered", subStatus: expect.stringMatching(/./) });
    expect([statuses.approved, statuses.pending, ...knownSubStatuses]).not.toContain(
      "subStatus" in answer && answer.subStatus,
    );
    expect(answer).not.toHaveProperty("status");
  });

  it("executes a submission once, however often it is repeated", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(await emailFor("approved"));
    const answer = await provider.submitKyc(request);
    expect(answer).toMatchObject({ outcome: "answered" });
    expect(await provider.submitKyc(request)).toEqual(answer);
    expect(await executions(request)).toHaveLength(1);
  });

  it("returns a refusal for every submission, and executes nothing", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(await emailFor("refused"));
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "refused" });
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "refused" });
    expect(await executions(request)).toHaveLength(0);
  });

  it("finds nothing before a submission, and the same answer after it", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(await emailFor("approved"));
    expect(await provider.findKyc(request)).toEqual({ outcome: "not-found" });
    const answer = await provider.submitKyc(request);
    expect(await provider.findKyc(request)).toEqual(answer);
  });

  it("returns unknown for a lost response, and resolves it with the existing submission", async () => {
    const { provider, emailFor, executions, passDeadline } = setup();
    const request = newKycRequest(await emailFor("answer-lost"));
    const lost = provider.submitKyc(request);
    await passDeadline(request);
    expect(await lost).toMatchObject({ outcome: "unknown" });
    const found = await provider.findKyc(request);
    const resolved = found.outcome === "not-found" ? await provider.submitKyc(request) : found;
    expect(resolved).toMatchObject({ outcome: "answered" });
    expect(await provider.findKyc(request)).toEqual(resolved);
    expect(await executions(request)).toHaveLength(1);
  });

  it("returns unknown for a lost request, finds nothing, and can submit again", async () => {
    const { provider, emailFor, executions, passDeadline } = setup();
    const request = newKycRequest(await emailFor("request-lost"));
    const lost = provider.submitKyc(request);
    await passDeadline(request);
    expect(await lost).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(request)).toEqual({ outcome: "not-found" });
    expect(await executions(request)).toHaveLength(0);
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "answered" });
    expect(await executions(request)).toHaveLength(1);
  });

  it.each([1, 2, 3, 4])("has one effect if the result of step %i cannot be stored", async (failing) => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(await emailFor("approved"));
    let kept = 0;
    const keep: ProviderSteps["keep"] = async (...step) => {
      kept += 1;
      if (kept === failing) throw new Error("not stored");
      await request.steps.keep(...step);
    };
    const first = provider.submitKyc({ ...request, steps: { ...request.steps, keep } });
    await first.catch((error: Error) => expect(error.message).toBe("not stored"));
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "answered" });
    expect(await executions(request)).toHaveLength(1);
  });

  it("sends the submission and never a member id, even if the input has one", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(await emailFor("approved"));
    const memberId = "member-7f3c9a51e0";
    await provider.submitKyc({ ...request, applicant: Object.assign({ memberId }, request.applicant) });
    const received = JSON.stringify(await executions(request));
    expect(received).toContain(request.applicant.documentNumber);
    expect(received).not.toContain(memberId);
  });
}
