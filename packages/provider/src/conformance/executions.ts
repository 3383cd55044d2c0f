import type { ProviderExecution } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { newKycRequest } from "./inputs.ts";
import type { ConformanceSetup } from "./setup.ts";

/** Tests of `listExecutions`, for providers that list what they executed. */
export function describeExecutions(setup: () => ConformanceSetup): void {
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
