import { kycExplanation, maxReasons, restrictedReasons } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { newKycRequest } from "./inputs.ts";
import type { ConformanceSetup } from "./setup.ts";

const expired = { code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" };

/** Tests of a provider that gives reasons for refusals and rejections. */
export function describeReasons(setup: () => ConformanceSetup): void {
  it("returns the reasons of a refusal for every submission and query", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(await emailFor("refused-expired"));
    const refusal = { outcome: "refused", explanation: { reasons: [expired], final: false } };
    expect(await provider.submitKyc(request)).toEqual(refusal);
    expect(await provider.submitKyc(request)).toEqual(refusal);
    expect(await provider.findKyc(request)).toEqual(refusal);
  });

  it("returns the reasons of a rejection, and that it is final", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(await emailFor("rejected-expired"));
    const explanation = { reasons: [expired], final: true };
    const rejection = { outcome: "answered", subStatus: "rejected", explanation };
    expect(await provider.submitKyc(request)).toMatchObject(rejection);
    expect(await provider.findKyc(request)).toMatchObject(rejection);
  });

  it("maps an unknown reason to OTHER", async () => {
    const { provider, emailFor } = setup();
    expect(await provider.submitKyc(newKycRequest(await emailFor("unknown-reason")))).toMatchObject({
      outcome: "refused",
      explanation: { reasons: [{ code: "OTHER" }] },
    });
  });

  it("returns a restricted reason separately, without an explanation or the finality of the refusal", async () => {
    const { provider, emailFor } = setup();
    const answer = await provider.submitKyc(newKycRequest(await emailFor("restricted-reason")));
    expect(answer).toEqual({ outcome: "refused", restricted: [expect.any(String)] });
    expect(restrictedReasons).toContain("restricted" in answer && answer.restricted?.[0]);
  });

  it("limits and replaces invalid reasons without changing the refusal", async () => {
    const { provider, emailFor } = setup();
    const answer = await provider.submitKyc(newKycRequest(await emailFor("invalid-reasons")));
    const explanation = kycExplanation.parse("explanation" in answer ? answer.explanation : undefined);
    expect(answer).toEqual({ outcome: "refused", explanation });
    expect(explanation.reasons).toHaveLength(maxReasons);
    expect(explanation.reasons).toContainEqual({ code: "OTHER", field: null });
  });
}
