import { expect, it } from "vitest";
import { newKycRequest } from "./inputs.ts";
import type { ConformanceSetup } from "./setup.ts";

/** Tests of a provider that stores references: a query finds every submission, and each is executed once. */
export function describeReferences(setup: () => ConformanceSetup): void {
  it("executes a reference once for concurrent submissions", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(await emailFor("approved"));
    const answers = await Promise.all([1, 2, 3, 4].map(() => provider.submitKyc(request)));
    answers.push(await provider.submitKyc(request));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ outcome: "answered" });
    expect(await executions(request)).toHaveLength(1);
  });

  it("returns unknown for other content with a used reference, and executes nothing", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(await emailFor("approved"));
    await provider.submitKyc(request);
    const changed = { ...request, applicant: { ...request.applicant, occupation: "Painter" } };
    expect(await provider.submitKyc(changed)).toMatchObject({ outcome: "unknown" });
    expect(await executions(request)).toHaveLength(1);
  });

  it("returns a refusal for every submission and query, and executes nothing", async () => {
    const { provider, emailFor, executions } = setup();
    const request = newKycRequest(await emailFor("refused"));
    expect(await provider.submitKyc(request)).toEqual({ outcome: "refused" });
    expect(await provider.submitKyc(request)).toEqual({ outcome: "refused" });
    expect(await provider.findKyc(request)).toEqual({ outcome: "refused" });
    expect(await executions(request)).toHaveLength(0);
  });

  it("returns unknown for a lost response, and finds the submission afterwards", async () => {
    const { provider, emailFor, executions, passDeadline } = setup();
    const request = newKycRequest(await emailFor("answer-lost"));
    const lost = provider.submitKyc(request);
    await passDeadline(request);
    expect(await lost).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(request)).toMatchObject({ outcome: "answered" });
    expect(await executions(request)).toHaveLength(1);
  });

  it("returns unknown for a response about another submission or another user", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(await emailFor("mismatched"));
    expect(await provider.submitKyc(request)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(request)).toMatchObject({ outcome: "unknown" });

    const known = newKycRequest(await emailFor("approved"));
    await provider.submitKyc(known);
    const other = { ...known, userReference: newKycRequest("").userReference };
    expect(await provider.findKyc(other)).toMatchObject({ outcome: "unknown" });
  });
}
