import { kycExplanation, maxReasons, type ProviderExecution, restrictedReasons } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeCards } from "./cards.ts";
import { newKycRequest } from "./inputs.ts";
import { describeKyc } from "./kyc.ts";
import { describeRenewals } from "./renewals.ts";
import { describeRequests } from "./requests.ts";
import type { ConformanceSetup, Traits } from "./setup.ts";

const expired = { code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" };

export { newKycRequest } from "./inputs.ts";
export type { ConformanceSetup, IssuedCard, Scenario, Traits } from "./setup.ts";

/**
 * Registers the tests that every `CardProvider` has to pass. An adapter calls it at the top level of a vitest file,
 * with a setup over the provider's sandbox or over a fake server:
 *
 *     import { describeCardProvider } from "@cardbridge/provider/conformance";
 *     describeCardProvider("acme", async () => ({ provider: createAcme(…), emailFor, … }), traits);
 *
 * `setup` runs once, and every test uses new references. `traits` declare the provider's abilities. Each adapter tests
 * violations of its contract (invalid responses, hanging connections, cards of other users) itself.
 */
export function describeCardProvider(
  name: string,
  setup: () => Promise<ConformanceSetup>,
  { references, reasons, executions, requests, renews }: Traits,
): void {
  describe(name, () => {
    let ready: ConformanceSetup | undefined;

    function current(): ConformanceSetup {
      if (!ready) throw new Error("The setup of this suite has not finished.");
      return ready;
    }

    beforeAll(async () => {
      ready = await setup();
    });
    afterAll(() => ready?.close());

    describe("KYC", () => describeKyc(current));
    if (references) describe("references", () => describeReferences(current));
    if (reasons) describe("reasons", () => describeReasons(current));
    if (executions) describe("executions", () => describeExecutions(current));
    if (requests) describe("requests", () => describeRequests(current, { references }));
    if (renews) describe("renewals", () => describeRenewals(current));
    describe("cards", () => describeCards(current));
  });
}

/** Tests of a provider that gives reasons for refusals and rejections. */
function describeReasons(setup: () => ConformanceSetup): void {
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

/** Tests of `listExecutions`, for providers that list what they executed. */
function describeExecutions(setup: () => ConformanceSetup): void {
  /** All pages from a time on, or undefined without the call. */
  async function listFrom(from: Date): Promise<ProviderExecution[]> {
    const { provider } = setup();
    const listed: ProviderExecution[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await provider.listExecutions?.({ from, cursor });
      if (!page) throw new Error("The provider does not list executions.");
      listed.push(...page.executions);
      if (page.nextCursor === null) return listed;
      cursor = page.nextCursor;
    }
  }

  it("lists each execution once, oldest first, with its state and its fingerprint", async () => {
    const { provider, emailFor, statuses } = setup();
    const approved = newKycRequest(await emailFor("approved"));
    const pending = newKycRequest(await emailFor("pending"));
    const refused = newKycRequest(await emailFor("refused"));
    for (const request of [approved, pending, refused, approved]) await provider.submitKyc(request);

    const ours = new Set([approved, pending, refused].map(({ reference }) => reference));
    const listed = (await listFrom(new Date(0))).filter(({ reference }) => ours.has(reference));
    const { reference, userReference, fingerprint } = approved;
    expect(listed).toMatchObject([
      {
        reference,
        userReference,
        fingerprint,
        verdict: { outcome: "answered", subStatus: statuses.approved },
      },
      { reference: pending.reference, verdict: { outcome: "answered", subStatus: statuses.pending } },
    ]);
  });

  it("lists nothing that was executed before the time", async () => {
    const { provider, emailFor } = setup();
    const request = newKycRequest(await emailFor("approved"));
    await provider.submitKyc(request);
    const executed = (await listFrom(new Date(0))).find(({ reference }) => reference === request.reference);
    if (!executed) throw new Error("The execution is not listed.");
    const after = await listFrom(new Date(executed.executedAt.getTime() + 1));
    expect(after.map(({ reference }) => reference)).not.toContain(request.reference);
    const from = await listFrom(executed.executedAt);
    expect(from.map(({ reference }) => reference)).toContain(request.reference);
  });
}

/** Tests of a provider that stores references: a query finds every submission, and each is executed once. */
function describeReferences(setup: () => ConformanceSetup): void {
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
